package dev.mooring.manager.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a world-writable directory only files that this user has written are trusted. */
class LocalKeyTest {
  private static final LocalKey KEY = LocalKey.of("ab".repeat(32));

  @TempDir private Path folder;
  private int port;
  private Path file = Path.of("");

  @BeforeEach
  void publish() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    file = Path.of(System.getProperty("java.io.tmpdir"), "mooring-endpoints-" + port + ".key");
    KEY.publish(port);
  }

  @AfterEach
  void delete() {
    LocalKey.delete(port);
  }

  @Test
  void read_publishedKey_isReturned() {
    assertThat(LocalKey.read(port)).contains(KEY);
    LocalKey.delete(port);
    assertThat(LocalKey.read(port)).isEmpty();
  }

  @Test
  void read_symbolicLink_isIgnored() throws IOException {
    Path movedFile = Files.move(file, folder.resolve("key"));
    Files.createSymbolicLink(file, movedFile);
    assertThat(LocalKey.read(port)).isEmpty();
  }

  @Test
  void read_hardLink_isIgnored() throws IOException {
    Path movedFile = folder.resolve("key");
    Files.createLink(movedFile, file);
    assertThat(LocalKey.read(port)).isEmpty();
  }

  @Test
  void read_fileOfOtherUser_isIgnored() throws IOException {
    Object owner = Files.getAttribute(file, "unix:uid");
    assumeTrue(owner.equals(0), "only root can give a file to another user");
    Files.setAttribute(file, "unix:uid", 12345);
    assertThat(LocalKey.read(port)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw--w----", "rw----r--", "rw-----w-", "rwx------"})
  void read_sharedFile_isIgnored(String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    assertThat(LocalKey.read(port)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "secret\n", "secret\n\n", "secret\nsum\n", "\n\n\n"})
  void read_invalidContent_isIgnored(String text) throws IOException {
    Files.writeString(file, text);
    assertThat(LocalKey.read(port)).isEmpty();
  }
}
