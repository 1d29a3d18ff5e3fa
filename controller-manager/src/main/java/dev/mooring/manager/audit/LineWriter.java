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
  private static final int INITIAL_CAPACITY = 1 << 10;
  private static final char DELETE = 0x7f;

  private final StringBuilder text = new StringBuilder(INITIAL_CAPACITY);

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
    appendObject(line);
    text.append('\n');
  }

  void appendObject(AuditLine line) {
    int start = text.length();
    appendText("time", line.time());
    appendText("controller", line.controller());
    appendText("key", line.key());
    appendText("decision", line.decision());
    appendText("reason", line.reason());
    appendText("did", line.did());
    appendText("kind", line.kind());
    appendText("namespace", line.namespace());
    appendText("name", line.name());
    appendText("uid", line.uid());
    appendTexts("fields", line.fields());
    appendVersion("from", line.from());
    appendVersion("to", line.to());
    appendText("result", line.result());
    appendText("note", line.note());
    appendName("ms");
    text.append(line.ms()).append('}');
    text.setCharAt(start, '{'); // replaces the first comma
  }

  private void appendName(String name) {
    text.append(",\"").append(name).append("\":");
  }

  private void appendText(String name, String value) {
    if (!value.isEmpty()) {
      appendName(name);
      appendQuoted(value);
    }
  }

  private void appendTexts(String name, List<String> values) {
    if (values.isEmpty()) {
      return;
    }
    appendName(name);
    char separator = '[';
    for (String value : values) {
      text.append(separator);
      appendQuoted(value);
      separator = ',';
    }
    text.append(']');
  }

  // Writes a resourceVersion as a string, because versions are opaque to clients.
  private void appendVersion(String name, long version) {
    if (version != 0) {
      appendName(name);
      appendQuoted(Long.toString(version));
    }
  }

  private void appendQuoted(String value) {
    text.append('"');
    int plainStart = 0; // start of the part that is not appended yet
    int index = 0;
    while (index < value.length()) {
      if (isPlain(value.charAt(index))) {
        index++;
        continue;
      }
      int codePoint = value.codePointAt(index);
      int next = index + Character.charCount(codePoint);
      if (!PlainText.isVisible(codePoint) || codePoint <= DELETE) {
        text.append(value, plainStart, index);
        appendEscape(codePoint);
        plainStart = next;
      }
      index = next;
    }
    text.append(value, plainStart, value.length()).append('"');
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < DELETE && c != '"' && c != '\\';
  }

  private void appendEscape(int codePoint) {
    text.append('\\');
    switch (codePoint) {
      case '"', '\\' -> text.append((char) codePoint);
      case '\n' -> text.append('n');
      case '\r' -> text.append('r');
      case '\t' -> text.append('t');
      default -> {
        String units = Character.toString(codePoint);
        text.append('u').append(HexFormat.of().toHexDigits(units.charAt(0)));
        if (units.length() > 1) {
          text.append("\\u").append(HexFormat.of().toHexDigits(units.charAt(1)));
        }
      }
    }
  }
}
