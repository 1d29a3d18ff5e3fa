package dev.mooring.it.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

/** The token that a client has to show, and the file that it is in; another can take its place. */
final class ProxyTokens implements AutoCloseable {
  private final Path folder;
  private int count = 1;

  ProxyTokens() throws IOException {
    folder = Files.createTempDirectory("fault-proxy");
    write();
  }

  /** Where the client finds it. */
  Path file() {
    return folder.resolve("token");
  }

  private String valid() {
    return "token-" + count;
  }

  /** Whether it shows the one that is valid. */
  synchronized boolean knows(Request request) {
    return request.head().value("authorization").equals("Bearer " + valid());
  }

  /** The token is refused from now on; its successor is in the file after that time. */
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

  /** As a kubelet does it: whoever reads sees the old one or the new one, and no half. */
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
