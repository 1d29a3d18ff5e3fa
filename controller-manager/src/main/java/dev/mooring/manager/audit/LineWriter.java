package dev.mooring.manager.audit;

import dev.mooring.text.PlainText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * Encoder of log lines as JSON into one reused buffer; building JSON trees would dominate the cost
 * of a line. Escapes invisible characters, so that the record is exact and safe to print. Not
 * thread-safe.
 */
final class LineWriter {
  private static final int FIRST_CHARS = 1 << 10;
  private static final char DELETE = 0x7f;

  private final StringBuilder text = new StringBuilder(FIRST_CHARS);

  LineWriter() {}

  void clear() {
    text.setLength(0);
  }

  void cutTo(int size) {
    text.setLength(size);
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(toString().getBytes(StandardCharsets.UTF_8));
  }

  int size() {
    return text.length();
  }

  @Override
  public String toString() {
    return text.toString();
  }

  void add(AuditLine line) {
    object(line);
    text.append('\n');
  }

  void object(AuditLine line) {
    int began = text.length();
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
    text.append(line.ms()).append('}');
    text.setCharAt(began, '{'); // replaces the first comma
  }

  private void name(String name) {
    text.append(",\"").append(name).append("\":");
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
      text.append(before);
      quoted(value);
      before = ',';
    }
    text.append(']');
  }

  // Writes a resourceVersion as a string, because versions are opaque to clients.
  private void version(String name, long version) {
    if (version != 0) {
      name(name);
      quoted(Long.toString(version));
    }
  }

  private void quoted(String value) {
    text.append('"');
    int plain = 0; // start of the part that is not appended yet
    int at = 0;
    while (at < value.length()) {
      if (isPlain(value.charAt(at))) {
        at++;
        continue;
      }
      int point = value.codePointAt(at);
      int next = at + Character.charCount(point);
      if (!PlainText.isShown(point) || point <= DELETE) {
        text.append(value, plain, at);
        escape(point);
        plain = next;
      }
      at = next;
    }
    text.append(value, plain, value.length()).append('"');
  }

  private static boolean isPlain(char one) {
    return one >= ' ' && one < DELETE && one != '"' && one != '\\';
  }

  private void escape(int point) {
    text.append('\\');
    switch (point) {
      case '"', '\\' -> text.append((char) point);
      case '\n' -> text.append('n');
      case '\r' -> text.append('r');
      case '\t' -> text.append('t');
      default -> {
        String units = Character.toString(point);
        text.append('u').append(HexFormat.of().toHexDigits(units.charAt(0)));
        if (units.length() > 1) {
          text.append("\\u").append(HexFormat.of().toHexDigits(units.charAt(1)));
        }
      }
    }
  }
}
