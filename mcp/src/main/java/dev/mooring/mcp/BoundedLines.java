package dev.mooring.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Lines of UTF-8. Of one that is too long nothing is kept. For one thread. */
final class BoundedLines {
  /**
   * A line.
   *
   * @param text without its end; "" if it was too long
   * @param isTooLong whether it was
   */
  record Line(String text, boolean isTooLong) {}

  private final InputStream in;
  private final int longest;

  /**
   * Of that stream.
   *
   * @param longest how many bytes a line may have
   */
  BoundedLines(InputStream in, int longest) {
    this.in = new BufferedInputStream(in);
    this.longest = longest;
  }

  /** The next one; empty at the end of the stream. What stands after the last end is a line. */
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
