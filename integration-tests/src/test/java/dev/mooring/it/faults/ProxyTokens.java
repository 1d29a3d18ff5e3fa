package dev.mooring.it.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** The token that a client has to present and its file. The token can be rotated. */
final class ProxyTokens implements AutoCloseable {
  private final Path folder;
  private int count = 1;

  ProxyTokens() throws IOException {
    folder = Files.createTempDirectory("fault-proxy");
    write();
  }

  Path file() {
    return folder.resolve("token");
  }

  private String valid() {
    return "token-" + count;
  }

  synchronized boolean isValid(ProxiedRequest request) {
    return request.head().value("authorization").equals("Bearer " + valid());
  }

  /** Revokes the token immediately; the file contains its successor after the delay. */
  synchronized void revoke(Duration late) {
    count++;
    Thread.ofVirtual()
        .name("token-writer")
        .start(() -> {
          try {
            Thread.sleep(late);
            write();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          } catch (IOException broken) {
            throw new UncheckedIOException(broken);
          }
        });
  }

  /** Replaces the file atomically, as a kubelet does: a reader never sees a partial token. */
  private synchronized void write() throws IOException {
    if (Files.isDirectory(folder)) {
      Path fresh = Files.writeString(folder.resolve("fresh"), valid());
      Files.move(fresh, file(), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    Files.deleteIfExists(file());
    Files.deleteIfExists(folder);
  }
}
