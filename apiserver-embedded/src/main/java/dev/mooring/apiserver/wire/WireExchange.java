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
 * A request, whole, and its answer, whatever the connection speaks. An answer of 101 turns an
 * HTTP/1.1 connection into a WebSocket. Each write to the body is one message, text if the
 * Content-Type is JSON. The end of the body closes the WebSocket. For one thread.
 */
final class WireExchange extends HttpsExchange {
  /**
   * What was asked for.
   *
   * @param target path and query as they were sent
   * @param protocol HTTP/1.1 or HTTP/2.0
   */
  record Request(String method, URI target, String protocol, Headers headers, byte[] body) {}

  /**
   * The two ends of the connection.
   *
   * @param session null without TLS
   */
  record Parties(
      @Nullable SSLSession session, InetSocketAddress client, InetSocketAddress server) {}

  private enum Stage {
    ASKED,
    BEGUN,
    ENDED
  }

  private final Request request;
  private final Parties parties;
  private final Answering answering;
  private final Headers answer = new Headers();
  private final Body body = new Body();
  private final InputStream asked;
  private int code = -1;
  private long missing; // of a body whose length was said
  private Stage stage = Stage.ASKED;

  WireExchange(Request request, Parties parties, Answering answering) {
    this.request = request;
    this.parties = parties;
    this.answering = answering;
    this.asked = new ByteArrayInputStream(request.body());
  }

  private final class Body extends OutputStream {
    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      if (stage != Stage.BEGUN) {
        throw new IOException("there is no body, or it was ended");
      }
      missing -= missing > 0 ? length : 0;
      answering.piece(bytes, from, length);
    }

    /** Whoever waits for something to tell learns here that nobody listens. */
    @Override
    public void flush() throws IOException {
      answering.mustBeOpen();
    }

    @Override
    public void close() {
      if (stage == Stage.BEGUN) {
        stage = Stage.ENDED;
        if (missing > 0) {
          answering.cut();
        } else {
          answering.end();
        }
      }
    }
  }

  @Override
  public void sendResponseHeaders(int status, long length) throws IOException {
    if (stage != Stage.ASKED) {
      throw new IOException("the head of the answer was sent already");
    }
    boolean bodiless = length < 0 || request.method().equals("HEAD");
    answer.set(
        "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
    answering.head(status, answer, bodiless ? -1 : length);
    code = status;
    missing = bodiless ? 0 : length;
    stage = bodiless ? Stage.ENDED : Stage.BEGUN;
  }

  @Override
  public void close() {
    switch (stage) {
      case ASKED -> {
        stage = Stage.ENDED;
        answering.cut();
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
    return asked;
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
  @SuppressWarnings("NullAway") // HttpsExchange has no other way to say that there is no TLS
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
    throw new UnsupportedOperationException("there is one handler for everything");
  }

  @Override
  public @Nullable Object getAttribute(String name) {
    return null;
  }

  @Override
  public void setAttribute(String name, Object value) {
    throw new UnsupportedOperationException("nobody reads attributes");
  }

  @Override
  public void setStreams(InputStream in, OutputStream out) {
    throw new UnsupportedOperationException("nobody filters exchanges");
  }

  @Override
  public @Nullable HttpPrincipal getPrincipal() {
    return null;
  }
}
