package dev.mooring.manager.audit;

import dev.mooring.text.PlainText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Encoder of log lines as JSON into one reused byte array; building JSON trees would dominate the
 * cost of a line. Escapes invisible characters, so that the record is exact and safe to print. Not
 * thread-safe.
 */
final class LineWriter {
  private static final int FIRST_BYTES = 1 << 10;
  private static final int DIGITS = 20;

  /** An escape takes six bytes per char, UTF-8 at most four. */
  private static final int MOST_BYTES_OF_CHAR = 6;

  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final char DELETE = 0x7f;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int size;

  LineWriter() {}

  void clear() {
    size = 0;
  }

  void cutTo(int bytesLeft) {
    size = bytesLeft;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, size);
  }

  int size() {
    return size;
  }

  @Override
  public String toString() {
    return new String(bytes, 0, size, StandardCharsets.UTF_8);
  }

  void add(AuditLine line) {
    object(line);
    room(1);
    bytes[size++] = '\n';
  }

  void object(AuditLine line) {
    int began = size;
    text("time", line.time());
    text("controller", line.controller());
    text("key", line.key());
    text("decision", line.decision());
    text("reason", line.reason());
    text("did", line.did());
    text("kind", line.kind());
    text("namespace", line.namespace());
    text("name", line.name());
    text("uid", line.uid());
    texts("fields", line.fields());
    version("from", line.from());
    version("to", line.to());
    text("result", line.result());
    text("note", line.note());
    name("ms");
    millis(line.ms());
    bytes[began] = '{'; // replaces the first comma
    room(1);
    bytes[size++] = '}';
  }

  private void name(String name) {
    room(name.length() + 4);
    bytes[size++] = ',';
    bytes[size++] = '"';
    for (int i = 0; i < name.length(); i++) {
      bytes[size++] = (byte) name.charAt(i);
    }
    bytes[size++] = '"';
    bytes[size++] = ':';
  }

  private void text(String name, String value) {
    if (!value.isEmpty()) {
      name(name);
      quoted(value);
    }
  }

  private void texts(String name, List<String> values) {
    if (values.isEmpty()) {
      return;
    }
    name(name);
    char before = '[';
    for (String value : values) {
      room(1);
      bytes[size++] = (byte) before;
      quoted(value);
      before = ',';
    }
    room(1);
    bytes[size++] = ']';
  }

  /** Writes a resourceVersion as a string, because versions are opaque to clients. */
  private void version(String name, long version) {
    if (version != 0) {
      name(name);
      quoted(Long.toString(version));
    }
  }

  private void millis(double ms) {
    room(DIGITS + 8);
    for (byte digit : Double.toString(ms).getBytes(StandardCharsets.US_ASCII)) {
      bytes[size++] = digit;
    }
  }

  private void quoted(String value) {
    room(value.length() * MOST_BYTES_OF_CHAR + 2);
    bytes[size++] = '"';
    int at = 0;
    while (at < value.length()) {
      char one = value.charAt(at);
      if (one >= ' ' && one < DELETE && one != '"' && one != '\\') {
        bytes[size++] = (byte) one;
        at++;
      } else {
        at += other(value, at);
      }
    }
    bytes[size++] = '"';
  }

  private int other(String value, int at) {
    char one = value.charAt(at);
    switch (one) {
      case '"', '\\' -> pair(one);
      case '\n' -> pair('n');
      case '\r' -> pair('r');
      case '\t' -> pair('t');
      default -> {
        int point = value.codePointAt(at);
        if (PlainText.isShown(point)) {
          raw(Character.toString(point));
        } else {
          Character.toString(point).chars().forEach(unit -> code((char) unit));
        }
        return Character.charCount(point);
      }
    }
    return 1;
  }

  private void pair(char second) {
    bytes[size++] = '\\';
    bytes[size++] = (byte) second;
  }

  private void code(char one) {
    pair('u');
    for (int shift = 12; shift >= 0; shift -= 4) {
      bytes[size++] = HEX[one >> shift & 0xf];
    }
  }

  private void raw(String text) {
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      bytes[size++] = one;
    }
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
    }
  }
}
