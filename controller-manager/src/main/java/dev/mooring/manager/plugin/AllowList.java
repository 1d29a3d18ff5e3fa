package dev.mooring.manager.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Jars that may be loaded, by sha256, in the format of {@code sha256sum}. Each check reads the file
 * again, so that plugins can be added while the program runs.
 */
public final class AllowList {
  private static final Pattern LINE = Pattern.compile("([0-9a-fA-F]{64})([ \\t].*)?");

  private final Path file;

  private AllowList(Path file) {
    this.file = file;
  }

  public static AllowList of(Path file) {
    AllowList list = new AllowList(file);
    list.readSums();
    return list;
  }

  private Set<String> readSums() {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--plugin-allow " + file + " cannot be read (" + RootCause.line(e) + ")", e);
    }
    Set<String> sums = new HashSet<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      var matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "--plugin-allow %s, line %s: \"%s\" does not begin with a sha256 of 64 hexadecimal digits; create the file with sha256sum"
                .formatted(file, i + 1, line));
      }
      sums.add(matcher.group(1).toLowerCase(Locale.ROOT));
    }
    return sums;
  }

  // Returns a text that differs after a change of the file.
  String state() {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return "%s %s %s"
          .formatted(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
    } catch (IOException e) {
      return e.toString();
    }
  }

  String refusal(List<Path> jars) throws IOException {
    Set<String> sums;
    try {
      sums = readSums();
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
    for (Path jar : jars) {
      String sum = sha256(jar);
      if (!sums.contains(sum)) {
        return "the sha256 of %s, %s, is not listed in %s (--plugin-allow): check the origin of the jar, then add it"
            .formatted(jar.getFileName(), sum, file);
      }
    }
    return "";
  }

  private static String sha256(Path jar) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    try (InputStream in = new DigestInputStream(Files.newInputStream(jar), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
