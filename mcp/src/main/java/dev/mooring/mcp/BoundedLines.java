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
  private final int longest;

  BoundedLines(InputStream in, int longest) {
    this.in = new BufferedInputStream(in);
    this.longest = longest;
  }

  Optional<Line> next() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long length = 0;
    int next = in.read();
    if (next < 0) {
      return Optional.empty();
    }
    while (next >= 0 && next != '\n') {
      if (length++ < longest) {
        bytes.write(next);
      }
      next = in.read();
    }
    return Optional.of(
        length > longest
            ? new Line("", true)
            : new Line(bytes.toString(StandardCharsets.UTF_8), false));
  }
}
