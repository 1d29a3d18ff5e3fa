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
    ASKED,
    BEGUN,
    ENDED
  }

  private final WireRequest request;
  private final ConnectionEnds parties;
  private final AnswerWriter answering;
  private final Headers answer = new Headers();
  private final AnswerBody body = new AnswerBody();
  private final InputStream requested;
  private int code = -1;
  private long missing; // bytes of the declared length that are not yet sent
  private AnswerStage stage = AnswerStage.ASKED;

  WireExchange(WireRequest request, ConnectionEnds parties, AnswerWriter answering) {
    this.request = request;
    this.parties = parties;
    this.answering = answering;
    this.requested = new ByteArrayInputStream(request.body());
  }

  private final class AnswerBody extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (stage != AnswerStage.BEGUN) {
        throw new IOException("the answer has no body, or its body is closed");
      }
      missing -= missing > 0 ? length : 0;
      answering.sendPart(bytes, from, length);
    }

    /** Throws if the client has closed the connection, so an idle watch notices. */
    @Override
    public void flush() throws IOException {
      answering.requireOpen();
    }

    @Override
    public void close() {
      if (stage == AnswerStage.BEGUN) {
        stage = AnswerStage.ENDED;
        if (missing > 0) {
          answering.abort();
        } else {
          answering.finish();
        }
      }
    }
  }

  @Override
  public void sendResponseHeaders(int status, long length) throws IOException {
    if (stage != AnswerStage.ASKED) {
      throw new IOException("the head of the answer has already been sent");
    }
    boolean bodiless = length < 0 || request.method().equals("HEAD");
    answer.set(
        "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
    answering.sendHead(status, answer, bodiless ? -1 : length);
    code = status;
    missing = bodiless ? 0 : length;
    stage = bodiless ? AnswerStage.ENDED : AnswerStage.BEGUN;
  }

  @Override
  public void close() {
    switch (stage) {
      case ASKED -> {
        stage = AnswerStage.ENDED;
        answering.abort();
      }
      case BEGUN -> body.close();
      case ENDED -> {}
    }
  }

  @Override
  public Headers getRequestHeaders() {
    return request.headers();
  }

  @Override
  public Headers getResponseHeaders() {
    return answer;
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
    return requested;
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
    return parties.session();
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return parties.client();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return parties.server();
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
