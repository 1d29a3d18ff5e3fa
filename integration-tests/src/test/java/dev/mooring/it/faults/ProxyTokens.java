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
  private int tokenNumber = 1;

  ProxyTokens() throws IOException {
    folder = Files.createTempDirectory("fault-proxy");
    writeFile();
  }

  Path file() {
    return folder.resolve("token");
  }

  private String currentToken() {
    return "token-" + tokenNumber;
  }

  synchronized boolean isValid(ProxiedRequest request) {
    return request.head().value("authorization").equals("Bearer " + currentToken());
  }

  /** Revokes the token immediately; the file contains its successor after the delay. */
  synchronized void revokeToken(Duration fileDelay) {
    tokenNumber++;
    Thread.ofVirtual()
        .name("token-writer")
        .start(() -> {
          try {
            Thread.sleep(fileDelay);
            writeFile();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          } catch (IOException broken) {
            throw new UncheckedIOException(broken);
          }
        });
  }

  /** Replaces the file atomically, as a kubelet does: a reader never sees a partial token. */
  private synchronized void writeFile() throws IOException {
    if (Files.isDirectory(folder)) {
      Path newFile = Files.writeString(folder.resolve("fresh"), currentToken());
      Files.move(newFile, file(), StandardCopyOption.ATOMIC_MOVE);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    Files.deleteIfExists(file());
    Files.deleteIfExists(folder);
  }
}
