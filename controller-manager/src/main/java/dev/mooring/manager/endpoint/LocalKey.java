package dev.mooring.manager.endpoint;

import dev.mooring.text.FileProblem;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Authenticates commands of the same user on the same machine or in the same container. A file that
 * only this user and root can read contains a secret and the fingerprint of the server certificate.
 * Reading it requires the same permissions as reading the process's credentials. The directory is
 * shared, so a file is trusted only if this user must have written it.
 *
 * @param secret {@code ""} for none
 * @param fingerprint sha256 of the certificate in hexadecimal
 */
public record LocalKey(String secret, String fingerprint) {
  private static final System.Logger LOG = System.getLogger(LocalKey.class.getName());

  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
  private static final Pattern KEY = Pattern.compile("([0-9a-f]{64})\n([0-9a-f]{64})\n");
  private static final int MAX_BYTES = 1024;

  static LocalKey of(String fingerprint) {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    return new LocalKey(HexFormat.of().formatHex(random), fingerprint);
  }

  private static Path file(int port) {
    return Path.of(System.getProperty("java.io.tmpdir"), "mooring-endpoints-" + port + ".key");
  }

  /** Compares in constant time. */
  boolean matches(String token) {
    return !secret.isEmpty()
        && MessageDigest.isEqual(
            token.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes the file. Without a file, commands need a token. */
  void publish(int port) {
    Path file = file(port);
    try {
      Files.deleteIfExists(file); // stale key of a killed process
      try (SeekableByteChannel channel =
          Files.newByteChannel(
              file,
              EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
        channel.write(
            ByteBuffer.wrap((secret + "\n" + fingerprint + "\n").getBytes(StandardCharsets.UTF_8)));
      }
    } catch (IOException | UnsupportedOperationException e) {
      LOG.log(
          Level.WARNING,
          () ->
              "commands on this machine need a token, because %s cannot be written (%s)"
                  .formatted(file, FileProblem.findReason(e)));
    }
  }

  public static boolean exists(int port) {
    return Files.exists(file(port), LinkOption.NOFOLLOW_LINKS);
  }

  static void delete(int port) {
    try {
      Files.deleteIfExists(file(port));
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> file(port) + " cannot be deleted");
    }
  }

  /**
   * Reads the key of the process at the port; empty if there is none or it runs as another user.
   */
  public static Optional<LocalKey> read(int port) {
    Path file = file(port);
    try {
      Optional<Object> identity = trustedIdentity(file);
      if (identity.isEmpty()) {
        return Optional.empty();
      }
      byte[] bytes = new byte[MAX_BYTES];
      int length;
      try (InputStream in =
          Files.newInputStream(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        length = in.readNBytes(bytes, 0, MAX_BYTES);
      }
      Matcher key = KEY.matcher(new String(bytes, 0, length, StandardCharsets.UTF_8));
      return key.matches() && identity.equals(trustedIdentity(file))
          ? Optional.of(new LocalKey(key.group(1), key.group(2)))
          : Optional.empty();
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the file's identity if only this user can have written it: a regular file, not a link.
   */
  private static Optional<Object> trustedIdentity(Path file) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(
            file, "unix:isRegularFile,uid,nlink,permissions,fileKey", LinkOption.NOFOLLOW_LINKS);
    boolean isTrusted =
        Boolean.TRUE.equals(attributes.get("isRegularFile"))
            && Integer.valueOf(1).equals(attributes.get("nlink"))
            && OWNER_ONLY.equals(attributes.get("permissions"))
            && userId().equals(attributes.get("uid"));
    return isTrusted ? Optional.ofNullable(attributes.get("fileKey")) : Optional.empty();
  }

  // Returns the UID of this process; works in images without user names.
  private static Object userId() throws IOException {
    Path probe = Files.createTempFile("mooring-user", "");
    try {
      return Files.getAttribute(probe, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    } finally {
      Files.delete(probe);
    }
  }
}
