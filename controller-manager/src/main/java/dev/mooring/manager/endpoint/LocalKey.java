package dev.mooring.manager.endpoint;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Lets commands in on the machine, or in the container, where the process runs: a file that only
 * its own user and root can read has a secret, and the sum of the certificate that is shown.
 * Whoever may read it could as well read the process's own credentials.
 *
 * @param secret what is to be shown, {@code ""} for none
 * @param fingerprint the sha256 of the certificate, in hexadecimal
 */
public record LocalKey(String secret, String fingerprint) {
  private static final System.Logger LOG = System.getLogger(LocalKey.class.getName());

  /** Lets nobody in. */
  public static final LocalKey NONE = new LocalKey("", "");

  /** A new one for that certificate; it is in no file yet. */
  static LocalKey of(String fingerprint) {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    return new LocalKey(HexFormat.of().formatHex(random), fingerprint);
  }

  private static Path file(int port) {
    return Path.of(System.getProperty("java.io.tmpdir"), "mooring-endpoints-" + port + ".key");
  }

  /** Whether that is the secret; it takes as long whatever is shown. */
  boolean is(String shown) {
    return !secret.isEmpty()
        && MessageDigest.isEqual(
            shown.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }

  /** Puts it where commands find it; where that cannot be, they need a token. */
  void publish(int port) {
    Path file = file(port);
    try {
      Files.deleteIfExists(file); // of a process that was killed
      Files.newByteChannel(
              file,
              EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
          .close();
      Files.writeString(file, secret + "\n" + fingerprint + "\n");
    } catch (IOException | UnsupportedOperationException e) {
      LOG.log(
          Level.WARNING,
          () ->
              "commands on this machine need a token: "
                  + file
                  + " cannot be written ("
                  + e.getClass().getSimpleName()
                  + ")");
    }
  }

  /** Whether there is one of the process at that port of this machine: then it speaks TLS. */
  public static boolean exists(int port) {
    return Files.exists(file(port));
  }

  /** Takes it away. */
  static void withdraw(int port) {
    try {
      Files.deleteIfExists(file(port));
    } catch (IOException left) {
      LOG.log(Level.DEBUG, () -> file(port) + " cannot be deleted");
    }
  }

  /**
   * That of the process that answers at that port of this machine, if it has one that we may read.
   */
  public static Optional<LocalKey> read(int port) {
    Path file = file(port);
    try {
      if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
        return Optional.empty();
      }
      List<String> lines = Files.readAllLines(file);
      return lines.size() < 2
          ? Optional.empty()
          : Optional.of(new LocalKey(lines.get(0), lines.get(1)));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }
}
