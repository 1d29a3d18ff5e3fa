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
 * @param startLine the first line
 * @param fields the header fields in order, names in lower case
 */
record HttpHead(String startLine, List<Map.Entry<String, String>> fields) {
  private static final int MAX_LINE = 1 << 16;

  /** Hop-by-hop headers. */
  private static final Set<String> HOP_BY_HOP =
      Set.of("connection", "keep-alive", "transfer-encoding", "content-length");

  /** Reads the next head; empty at the end of the stream. */
  static Optional<HttpHead> read(InputStream in) throws IOException {
    String startLine = readLine(in, true);
    if (startLine.isEmpty()) {
      return Optional.empty();
    }
    List<Map.Entry<String, String>> fields = new ArrayList<>();
    for (String line = readLine(in, false); !line.isEmpty(); line = readLine(in, false)) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        throw new IOException("not a header field: " + line);
      }
      fields.add(
          Map.entry(
              line.substring(0, colon).toLowerCase(Locale.ROOT),
              line.substring(colon + 1).strip()));
    }
    return Optional.of(new HttpHead(startLine, List.copyOf(fields)));
  }

  private static String readLine(InputStream in, boolean isStartLine) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int character = in.read(); character != '\n'; character = in.read()) {
      if (character < 0) {
        if (isStartLine && line.size() == 0) {
          return "";
        }
        throw new EOFException("truncated head");
      }
      if (line.size() > MAX_LINE) {
        throw new IOException("head without end");
      }
      if (character != '\r') {
        line.write(character);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  /** Returns the value of a field, "" for none. */
  String value(String name) {
    return fields.stream()
        .filter(field -> field.getKey().equals(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  /** Returns a copy with the value replaced; "" removes the field. */
  HttpHead with(String name, String value) {
    List<Map.Entry<String, String>> newFields = new ArrayList<>(fields);
    newFields.removeIf(field -> field.getKey().equals(name));
    if (!value.isEmpty()) {
      newFields.add(Map.entry(name, value));
    }
    return new HttpHead(startLine, List.copyOf(newFields));
  }

  /** Returns a copy without hop-by-hop headers. */
  HttpHead withoutHopByHop() {
    return new HttpHead(
        startLine, fields.stream().filter(field -> !HOP_BY_HOP.contains(field.getKey())).toList());
  }

  int status() {
    return Integer.parseInt(startLine.split(" ", 3)[1]);
  }

  /** Returns the body that follows, without reading it. */
  InputStream body(InputStream in, boolean isResponse) {
    if (isResponse && (status() == 204 || status() == 304 || status() < 200)) {
      return InputStream.nullInputStream();
    }
    if (value("transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked")) {
      return new ChunkedInput(in);
    }
    String length = value("content-length");
    return !length.isEmpty()
        ? new LimitedInput(in, Long.parseLong(length))
        : isResponse ? in : InputStream.nullInputStream();
  }

  void write(OutputStream out) throws IOException {
    StringBuilder text = new StringBuilder(startLine).append("\r\n");
    fields.forEach(
        field -> text.append(field.getKey()).append(": ").append(field.getValue()).append("\r\n"));
    out.write(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
  }
}
