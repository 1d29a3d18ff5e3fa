package dev.mooring.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

final class StaticAssets {
  private static final Map<String, String> TYPES =
      Map.of(
          "console.css", "text/css; charset=utf-8",
          "console.js", "text/javascript; charset=utf-8",
          "icon.svg", "image/svg+xml");
  private static final int TAG_LENGTH = 16;

  StaticAssets() {}

  Optional<ConsoleReply> find(String name) {
    String type = TYPES.get(name);
    if (type == null) {
      return Optional.empty();
    }
    try (InputStream in = StaticAssets.class.getResourceAsStream(name)) {
      if (in == null) {
        return Optional.empty();
      }
      byte[] content = in.readAllBytes();
      return Optional.of(new ConsoleReply.Asset(type, content, tag(content)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tag(byte[] content) {
    try {
      String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
      return "\"" + hash.substring(0, TAG_LENGTH) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
