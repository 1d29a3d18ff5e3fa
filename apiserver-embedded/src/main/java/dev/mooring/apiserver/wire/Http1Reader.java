package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the requests of an HTTP/1.1 connection (RFC 9112). Used by one thread at a time. */
final class Http1Reader {
  private static final int BUFFER_BYTES = 8192;
  private static final String TOKEN_SYMBOLS = "!#$%&'*+-.^_`|~"; // RFC 9110, 5.6.2
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  // the body is null if it is too long
  record Http1Request(
      String method, URI target, String version, Headers headers, byte @Nullable [] body) {
    boolean isOldVersion() {
      return version.equals("HTTP/1.0");
    }

    boolean isKeptAlive() {
      List<String> options = headers.getOrDefault("Connection", List.of());
      return !isOldVersion() && !options.toString().toLowerCase(Locale.ROOT).contains("close");
    }
  }

  private final ByteConnection connection;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private int headBytes;

  Http1Reader(ByteConnection connection) {
    this.connection = connection;
  }

  /**
   * Waits for a request.
   *
   * @return empty if the client has closed the connection
   * @throws ProtocolException if the bytes are not a request: the start of the next is unknown
   */
  Optional<Http1Request> readRequest() throws IOException {
    headBytes = 0;
    String line = "";
    while (line.isEmpty()) { // RFC 9112, 2.2: a server ignores empty lines before a request
      if (position == limit && !fill()) {
        return Optional.empty();
      }
      line = readLine();
    }
    String[] parts = line.split(" ", -1);
    URI target = parts.length == 3 ? RequestTargets.parseTarget(parts[1]) : null;
    if (target == null || !isToken(parts[0]) || !parts[2].matches("HTTP/1\\.[0-9]")) {
      throw new ProtocolException("not a request: " + line);
    }
    Headers headers = readHeaders();
    return Optional.of(new Http1Request(parts[0], target, parts[2], headers, readBody(headers)));
  }

  private Headers readHeaders() throws IOException {
    Headers headers = new Headers();
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      int colon = line.indexOf(':');
      if (colon < 0
          || !isToken(line.substring(0, colon))
          || line.chars().anyMatch(c -> c < ' ' && c != '\t')) {
        throw new ProtocolException("not a header: " + line);
      }
      headers.add(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private static boolean isToken(String text) {
    return !text.isEmpty()
        && text.chars()
            .allMatch(
                c -> c < 128 && Character.isLetterOrDigit(c) || TOKEN_SYMBOLS.indexOf(c) >= 0);
  }

  private byte @Nullable [] readBody(Headers headers) throws IOException {
    List<String> codings = headers.getOrDefault("Transfer-Encoding", List.of());
    List<String> lengths = headers.getOrDefault("Content-Length", List.of());
    if (!codings.isEmpty()) {
      if (!lengths.isEmpty()
          || codings.size() > 1
          || !codings.getFirst().equalsIgnoreCase("chunked")) {
        throw new ProtocolException("unsupported framing of a body: " + headers);
      }
      confirmBody(headers);
      return readChunks();
    }
    if (lengths.isEmpty()) {
      return new byte[0];
    }
    if (lengths.size() > 1) {
      throw new ProtocolException("several lengths of a body: " + lengths);
    }
    long length = parseLength(lengths.getFirst(), 10);
    if (length <= HttpListener.MAX_BODY) {
      confirmBody(headers);
      byte[] body = new byte[(int) length];
      readFully(body);
      return body;
    }
    if (isConfirmationExpected(headers)) {
      headers.set("Connection", "close"); // the client may send the body or not
    } else {
      skip(length);
    }
    return null;
  }

  private static boolean isConfirmationExpected(Headers headers) {
    return "100-continue".equalsIgnoreCase(headers.getFirst("Expect"));
  }

  private void confirmBody(Headers headers) throws IOException {
    if (isConfirmationExpected(headers)) {
      connection.write(CONTINUE, 0, CONTINUE.length);
    }
  }

  private byte @Nullable [] readChunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    boolean isTooLong = false;
    for (long length = readChunkLength(); length > 0; length = readChunkLength()) {
      isTooLong |= body.size() + length > HttpListener.MAX_BODY;
      if (isTooLong) {
        skip(length);
      } else {
        byte[] chunk = new byte[(int) length];
        readFully(chunk);
        body.writeBytes(chunk);
      }
      if (!readLine().isEmpty()) {
        throw new ProtocolException("a chunk is longer than its length");
      }
    }
    readHeaders(); // trailers
    return isTooLong ? null : body.toByteArray();
  }

  private long readChunkLength() throws IOException {
    headBytes = 0;
    String line = readLine();
    int extension = line.indexOf(';');
    return parseLength((extension < 0 ? line : line.substring(0, extension)).strip(), 16);
  }

  private static long parseLength(String text, int radix) throws ProtocolException {
    try {
      if (!text.isEmpty() && Character.digit(text.charAt(0), radix) >= 0) { // no sign
        return Long.parseLong(text, radix);
      }
    } catch (NumberFormatException e) {
      throw malformedLength(text, e);
    }
    throw malformedLength(text, null);
  }

  private static ProtocolException malformedLength(String text, @Nullable Exception cause) {
    ProtocolException error = new ProtocolException("not a length: " + text);
    error.initCause(cause);
    return error;
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int start = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      line.append(new String(buffer, start, position - start, StandardCharsets.ISO_8859_1));
      headBytes += position - start;
      if (headBytes > HttpListener.MAX_HEAD_BYTES) {
        throw new ProtocolException("the head of a request is too long");
      }
      if (position < limit) {
        position++;
        int end = line.length() - 1;
        return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
      }
      requireBytes();
    }
  }

  void readFully(byte[] target) throws IOException {
    for (int done = 0; done < target.length; ) {
      requireBytes();
      int part = Math.min(target.length - done, limit - position);
      System.arraycopy(buffer, position, target, done, part);
      position += part;
      done += part;
    }
  }

  void skip(long length) throws IOException {
    for (long missing = length; missing > 0; ) {
      requireBytes();
      int part = (int) Math.min(missing, limit - position);
      position += part;
      missing -= part;
    }
  }

  private void requireBytes() throws IOException {
    if (position == limit && !fill()) {
      throw new EOFException("the client has closed the connection within a request");
    }
  }

  private boolean fill() throws IOException {
    position = 0;
    limit = Math.max(0, connection.read(buffer));
    return limit > 0;
  }

  /** Returns true if the client has closed the connection; does not wait. */
  boolean isAtEnd() throws IOException {
    if (position < limit) {
      return false;
    }
    position = 0;
    limit = 0;
    int length = connection.readAvailable(buffer);
    limit = Math.max(0, length);
    return length < 0;
  }
}
