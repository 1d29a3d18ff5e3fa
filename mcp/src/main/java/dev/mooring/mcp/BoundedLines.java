package dev.mooring.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reader of UTF-8 lines with a length limit. Drops the content of longer lines. Not thread-safe.
 */
final class BoundedLines {
  record Line(String text, boolean isTooLong) {}

  private final InputStream in;
  private final int maxBytes;

  BoundedLines(InputStream in, int maxBytes) {
    this.in = new BufferedInputStream(in);
    this.maxBytes = maxBytes;
  }

  Optional<Line> next() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long length = 0;
    int current = in.read();
    if (current < 0) {
      return Optional.empty();
    }
    while (current >= 0 && current != '\n') {
      if (length++ < maxBytes) {
        bytes.write(current);
      }
      current = in.read();
    }
    return Optional.of(
        length > maxBytes
            ? new Line("", true)
            : new Line(bytes.toString(StandardCharsets.UTF_8), false));
  }
}
