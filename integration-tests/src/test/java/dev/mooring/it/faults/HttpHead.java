package dev.mooring.it.faults;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The head of a request or response as sent.
 *
 * @param start the first line
 * @param fields the header fields in order, names in lower case
 */
record HttpHead(String start, List<Map.Entry<String, String>> fields) {
  private static final int LONGEST = 1 << 16;

  /** Hop-by-hop headers. */
  private static final Set<String> HOP =
      Set.of("connection", "keep-alive", "transfer-encoding", "content-length");

  /** Reads the next head; empty at the end of the stream. */
  static Optional<HttpHead> read(InputStream in) throws IOException {
    String start = line(in, true);
    if (start.isEmpty()) {
      return Optional.empty();
    }
    List<Map.Entry<String, String>> fields = new ArrayList<>();
    for (String line = line(in, false); !line.isEmpty(); line = line(in, false)) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("no header field: " + line);
      }
      fields.add(
          Map.entry(
              line.substring(0, colon).toLowerCase(Locale.ROOT),
              line.substring(colon + 1).strip()));
    }
    return Optional.of(new HttpHead(start, List.copyOf(fields)));
  }

  private static String line(InputStream in, boolean first) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        if (first && line.size() == 0) {
          return "";
        }
        throw new EOFException("truncated head");
      }
      if (line.size() > LONGEST) {
        throw new IOException("head without end");
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Returns the value of a field, "" for none. */
  String value(String name) {
    return fields.stream()
        .filter(f -> f.getKey().equals(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /** Returns a copy with the value replaced; "" removes the field. */
  HttpHead with(String name, String value) {
    List<Map.Entry<String, String>> changed = new ArrayList<>(fields);
    changed.removeIf(f -> f.getKey().equals(name));
    if (!value.isEmpty()) {
      changed.add(Map.entry(name, value));
    }
    return new HttpHead(start, List.copyOf(changed));
  }

  /** Returns a copy without hop-by-hop headers. */
  HttpHead endToEnd() {
    return new HttpHead(start, fields.stream().filter(f -> !HOP.contains(f.getKey())).toList());
  }

  int status() {
    return Integer.parseInt(start.split(" ", 3)[1]);
  }

  /** Returns the body that follows; reads nothing yet. */
  InputStream body(InputStream in, boolean answers) {
    if (answers && (status() == 204 || status() == 304 || status() < 200)) {
      return InputStream.nullInputStream();
    }
    if (value("transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked")) {
      return new ChunkedInput(in);
    }
    String length = value("content-length");
    return !length.isEmpty()
        ? new LimitedInput(in, Long.parseLong(length))
        : answers ? in : InputStream.nullInputStream();
  }

  void write(OutputStream out) throws IOException {
    StringBuilder text = new StringBuilder(start).append("\r\n");
    fields.forEach(f -> text.append(f.getKey()).append(": ").append(f.getValue()).append("\r\n"));
    out.write(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
  }
}
