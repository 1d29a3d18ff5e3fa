package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Serves the requests of an HTTP/1.1 connection, one after the other, on one thread. */
final class Http1Connection implements Runnable {
  private static final System.Logger LOG = System.getLogger(Http1Connection.class.getName());
  private static final Set<Integer> BODILESS_CODES = Set.of(204, 304);
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(200, "OK"),
          Map.entry(201, "Created"),
          Map.entry(202, "Accepted"),
          Map.entry(204, "No Content"),
          Map.entry(304, "Not Modified"),
          Map.entry(400, "Bad Request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(405, "Method Not Allowed"),
          Map.entry(406, "Not Acceptable"),
          Map.entry(409, "Conflict"),
          Map.entry(410, "Gone"),
          Map.entry(413, "Request Entity Too Large"),
          Map.entry(415, "Unsupported Media Type"),
          Map.entry(422, "Unprocessable Entity"),
          Map.entry(429, "Too Many Requests"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(501, "Not Implemented"),
          Map.entry(503, "Service Unavailable"),
          Map.entry(504, "Gateway Timeout"));
  private static final byte[] LINE_END = {'\r', '\n'};
  private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ByteConnection connection;
  private final Http1Reader reader;
  private final RequestService service;

  Http1Connection(ByteConnection connection, RequestService service) {
    this.connection = connection;
    this.reader = new Http1Reader(connection);
    this.service = service;
  }

  @Override
  public void run() {
    try {
      while (serveRequest()) {
        // the next request follows
      }
      reader.isAtEnd(); // unread bytes would make the system discard the answer
    } catch (IOException closed) {
      LOG.log(Level.DEBUG, () -> "broken: " + connection.ends().client(), closed);
    } finally {
      connection.close();
    }
  }

  private boolean serveRequest() throws IOException {
    Optional<Http1Reader.Http1Request> next;
    try {
      next = reader.readRequest();
    } catch (ProtocolException malformed) {
      refuse(400, false);
      return false;
    }
    if (next.isEmpty()) {
      return false;
    }
    Http1Reader.Http1Request request = next.get();
    byte[] body = request.body();
    if (body == null) {
      refuse(413, request.isKeptAlive());
      return request.isKeptAlive();
    }
    Http1Answer answer = new Http1Answer(request);
    service.serve(
        new WireExchange(
            new WireExchange.WireRequest(
                request.method(), request.target(), "HTTP/1.1", request.headers(), body),
            connection.ends(),
            answer));
    return answer.isFinished && request.isKeptAlive();
  }

  private void refuse(int code, boolean isKeptAlive) throws IOException {
    StringBuilder head = startHead(code).append("content-length: 0\r\n");
    head.append(isKeptAlive ? "" : "connection: close\r\n");
    send(endHead(head));
  }

  private static StringBuilder startHead(int code) {
    String reason = REASONS.getOrDefault(code, "");
    return new StringBuilder("HTTP/1.1 ").append(code).append(' ').append(reason).append("\r\n");
  }

  private static void addHeader(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }

  private static byte[] endHead(StringBuilder head) {
    return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private void send(byte[] bytes) throws IOException {
    connection.write(bytes, 0, bytes.length);
  }

  private static byte[] join(byte[] first, byte[] bytes, int offset, int length, byte[] last) {
    byte[] joined = new byte[first.length + length + last.length];
    System.arraycopy(first, 0, joined, 0, first.length);
    System.arraycopy(bytes, offset, joined, first.length, length);
    System.arraycopy(last, 0, joined, first.length + length, last.length);
    return joined;
  }

  private final class Http1Answer implements AnswerWriter {
    private final Http1Reader.Http1Request request;
    private Optional<WebSocketAnswer> webSocket = Optional.empty();
    private byte[] delayedHead = new byte[0];
    private boolean isChunked;
    private boolean isFinished;

    Http1Answer(Http1Reader.Http1Request request) {
      this.request = request;
    }

    @Override
    public void sendHead(int code, Headers headers, long length) throws IOException {
      if (code == SWITCHING_PROTOCOLS) {
        webSocket =
            Optional.of(WebSocketAnswer.start(connection, reader, request.headers(), headers));
        service.threads().execute(webSocket.get()::readFrames);
        return;
      }
      StringBuilder head = startHead(code);
      headers.forEach((name, values) -> values.forEach(value -> addHeader(head, name, value)));
      isChunked = length == 0 && !request.isOldVersion();
      if (isChunked) {
        addHeader(head, "transfer-encoding", "chunked");
      } else if (length != 0
          && !BODILESS_CODES.contains(code)) { // a cache would apply the length to its copy
        addHeader(head, "content-length", Long.toString(Math.max(0, length)));
      }
      if (!request.isKeptAlive()) {
        addHeader(head, "connection", "close");
      }
      if (length > 0) {
        delayedHead = endHead(head); // sent together with the body
      } else {
        send(endHead(head));
      }
      isFinished = length < 0;
    }

    @Override
    public void sendChunk(byte[] bytes, int offset, int length) throws IOException {
      if (webSocket.isPresent()) {
        webSocket.get().sendMessage(bytes, offset, length);
      } else if (isChunked) {
        if (length > 0) { // an empty chunk ends the body
          byte[] size = (Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
          send(join(size, bytes, offset, length, LINE_END));
        }
      } else if (delayedHead.length > 0) {
        byte[] head = delayedHead;
        delayedHead = new byte[0];
        send(join(head, bytes, offset, length, delayedHead));
      } else {
        connection.write(bytes, offset, length);
      }
    }

    @Override
    public void requireOpen() throws IOException {
      if (webSocket.isPresent() ? webSocket.get().isClosed() : reader.isAtEnd()) {
        throw new IOException("the client has closed the connection");
      }
    }

    @Override
    public void finish() {
      try {
        if (webSocket.isPresent()) {
          webSocket.get().close();
          return;
        }
        send(isChunked ? LAST_CHUNK : delayedHead);
        isFinished = true;
      } catch (IOException closed) {
        LOG.log(Level.DEBUG, () -> "broken: " + connection.ends().client(), closed);
      }
    }

    @Override
    public void abort() {
      connection.close();
    }
  }
}
