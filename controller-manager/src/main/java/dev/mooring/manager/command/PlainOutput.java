package dev.mooring.manager.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mooring.text.PlainText;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.PrintStream;

/**
 * Output stream that filters control characters from all output of a command. Bytes that are not
 * UTF-8 pass unchanged.
 */
public final class PlainOutput extends FilterOutputStream {
  private static final int LONGEST = 4;
  private static final boolean ENDS_LINES_WITH_CR = System.lineSeparator().indexOf('\r') >= 0;

  private final byte[] replacement;
  private final byte[] begun = new byte[LONGEST];
  private int size;
  private int whole; // length of the current character in bytes

  private PlainOutput(PrintStream out) {
    super(out);
    this.replacement = "\ufffd".getBytes(out.charset());
  }

  private static final class FilteredStream extends PrintStream {
    private final PrintStream unfiltered;

    FilteredStream(PrintStream out) {
      super(new PlainOutput(out), true, out.charset());
      this.unfiltered = out;
    }
  }

  public static PrintStream over(PrintStream out) {
    return new FilteredStream(out);
  }

  static PrintStream unfiltered(PrintStream stream) {
    return stream instanceof FilteredStream filtered ? filtered.unfiltered : stream;
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) throws IOException {
    for (int i = from; i < from + length; i++) {
      write(bytes[i]);
    }
  }

  @Override
  public synchronized void write(int value) throws IOException {
    boolean continues = (value & 0xc0) == 0x80;
    if (size > 0 && !continues) {
      pass();
    }
    if (size == 0) {
      whole = length(value & 0xff);
      if (whole == 1) {
        single(value);
        return;
      }
    }
    begun[size++] = (byte) value;
    if (size == whole) {
      character();
    }
  }

  private void single(int value) throws IOException {
    boolean endsLine = value == '\n' || value == '\t' || value == '\r' && ENDS_LINES_WITH_CR;
    boolean isControl = value >= 0 && value < ' ' || value == 0x7f;
    if (isControl && !endsLine) {
      out.write(replacement);
    } else {
      out.write(value);
    }
  }

  private void character() throws IOException {
    String text = new String(begun, 0, size, UTF_8);
    if (PlainText.filter(text).equals(text)) {
      pass();
    } else {
      size = 0;
      out.write(replacement);
    }
  }

  private void pass() throws IOException {
    out.write(begun, 0, size);
    size = 0;
  }

  private static int length(int first) {
    if (first >= 0xc2 && first < 0xe0) {
      return 2;
    }
    if (first >= 0xe0 && first < 0xf0) {
      return 3;
    }
    return first >= 0xf0 && first < 0xf5 ? LONGEST : 1;
  }

  @Override
  public synchronized void close() throws IOException {
    pass();
    super.close();
  }
}
