package dev.mooring.apiserver.wire;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsExchange;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A complete request and its answer, for either protocol. An answer with code 101 turns an HTTP/1.1
 * connection into a WebSocket: each write to the body is one message, text if the Content-Type is
 * JSON, and the end of the body closes the WebSocket. Used by one thread.
 */
final class WireExchange extends HttpsExchange {
  /**
   * A request.
   *
   * @param target path and query as the client sent them
   * @param protocol HTTP/1.1 or HTTP/2.0
   */
  record WireRequest(String method, URI target, String protocol, Headers headers, byte[] body) {}

  record ConnectionEnds(
      @Nullable SSLSession session, InetSocketAddress client, InetSocketAddress server) {}

  private enum AnswerStage {
    REQUESTED,
    HEAD_SENT,
    FINISHED
  }

  private final WireRequest request;
  private final ConnectionEnds connection;
  private final AnswerWriter writer;
  private final Headers answerHeaders = new Headers();
  private final AnswerBody body = new AnswerBody();
  private final InputStream requestBody;
  private int code = -1;
  private long missingBytes; // bytes of the declared length that are not yet sent
  private AnswerStage stage = AnswerStage.REQUESTED;

  WireExchange(WireRequest request, ConnectionEnds connection, AnswerWriter writer) {
    this.request = request;
    this.connection = connection;
    this.writer = writer;
    this.requestBody = new ByteArrayInputStream(request.body());
  }

  private final class AnswerBody extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (stage != AnswerStage.HEAD_SENT) {
        throw new IOException("the answer has no body, or its body is closed");
      }
      missingBytes -= missingBytes > 0 ? length : 0;
      writer.sendChunk(bytes, offset, length);
    }

    /** Throws if the client has closed the connection, so an idle watch notices. */
    @Override
    public void flush() throws IOException {
      writer.requireOpen();
    }

    @Override
    public void close() {
      if (stage == AnswerStage.HEAD_SENT) {
        stage = AnswerStage.FINISHED;
        if (missingBytes > 0) {
          writer.abort();
        } else {
          writer.finish();
        }
      }
    }
  }

  @Override
  public void sendResponseHeaders(int status, long length) throws IOException {
    if (stage != AnswerStage.REQUESTED) {
      throw new IOException("the head of the answer has already been sent");
    }
    boolean isBodiless = length < 0 || request.method().equals("HEAD");
    answerHeaders.set(
        "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
    writer.sendHead(status, answerHeaders, isBodiless ? -1 : length);
    code = status;
    missingBytes = isBodiless ? 0 : length;
    stage = isBodiless ? AnswerStage.FINISHED : AnswerStage.HEAD_SENT;
  }

  @Override
  public void close() {
    switch (stage) {
      case REQUESTED -> {
        stage = AnswerStage.FINISHED;
        writer.abort();
      }
      case HEAD_SENT -> body.close();
      case FINISHED -> {}
    }
  }

  @Override
  public Headers getRequestHeaders() {
    return request.headers();
  }

  @Override
  public Headers getResponseHeaders() {
    return answerHeaders;
  }

  @Override
  public URI getRequestURI() {
    return request.target();
  }

  @Override
  public String getRequestMethod() {
    return request.method();
  }

  @Override
  public InputStream getRequestBody() {
    return requestBody;
  }

  @Override
  public OutputStream getResponseBody() {
    return body;
  }

  @Override
  public int getResponseCode() {
    return code;
  }

  @Override
  @SuppressWarnings("NullAway") // null is how HttpsExchange reports a connection without TLS
  public @Nullable SSLSession getSSLSession() {
    return connection.session();
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return connection.client();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return connection.server();
  }

  @Override
  public String getProtocol() {
    return request.protocol();
  }

  @Override
  public HttpContext getHttpContext() {
    throw new UnsupportedOperationException("contexts are not supported");
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return null;
  }

  @Override
  public void setAttribute(String name, Object value) {
    throw new UnsupportedOperationException("attributes are not supported");
  }

  @Override
  public void setStreams(InputStream in, OutputStream out) {
    throw new UnsupportedOperationException("filters are not supported");
  }

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return null;
  }
}
