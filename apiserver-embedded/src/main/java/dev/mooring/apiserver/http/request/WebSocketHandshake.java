package dev.mooring.apiserver.http.request;

import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The WebSocket handshake, with kube-apiserver's requirements. */
public final class WebSocketHandshake {
  private static final String VERSION = "13";
  private static final String PROTOCOL_HEADER = "Sec-WebSocket-Protocol";
  private static final String BEARER_PREFIX = "base64url.bearer.authorization.k8s.io.";
  private static final int LENGTH_PREFIX = 4;

  private WebSocketHandshake() {}

  public static boolean isRequested(RequestExchange exchange) {
    return exchange.getHeader("Upgrade").equalsIgnoreCase("websocket")
        && exchange.getHeaders("Connection").stream()
            .anyMatch(c -> c.toLowerCase(Locale.ROOT).contains("upgrade"));
  }

  /** Returns the offered subprotocols, without those that carry a token. */
  static List<String> getProtocols(RequestExchange exchange) {
    return getOfferedProtocols(exchange).stream()
        .filter(p -> !p.startsWith(BEARER_PREFIX))
        .toList();
  }

  private static List<String> getOfferedProtocols(RequestExchange exchange) {
    return exchange.getHeaders(PROTOCOL_HEADER).stream()
        .flatMap(line -> Arrays.stream(line.split(",")))
        .map(String::strip)
        .filter(protocol -> !protocol.isEmpty())
        .toList();
  }

  /**
   * Returns the bearer token that a browser sends as a subprotocol because it cannot set headers.
   *
   * @throws StatusException 401 if the token cannot be decoded or no other subprotocol is offered
   */
  public static Optional<String> findBearerToken(RequestExchange exchange) throws StatusException {
    if (!isRequested(exchange)) {
      return Optional.empty();
    }
    List<String> tokens =
        getOfferedProtocols(exchange).stream()
            .filter(protocol -> protocol.startsWith(BEARER_PREFIX))
            .map(protocol -> protocol.substring(BEARER_PREFIX.length()))
            .toList();
    if (tokens.isEmpty()) {
      return Optional.empty();
    }
    if (tokens.size() > 1 || getProtocols(exchange).isEmpty()) {
      throw StatusException.unauthorized();
    }
    try {
      byte[] token = Base64.getUrlDecoder().decode(tokens.getFirst());
      return Optional.of(
              StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(token)).toString())
          .filter(text -> !text.isEmpty());
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw StatusException.unauthorized();
    }
  }

  /**
   * Answers a handshake that kube-apiserver refuses: unsupported version, no key, several
   * subprotocols, no Origin.
   *
   * @return true if a refusal was sent
   * @throws IOException if the client has closed the connection
   */
  public static boolean refuseIfInvalid(RequestExchange exchange) throws IOException {
    if (!isRequested(exchange)) {
      return false;
    }
    if (exchange.getHeader("Sec-WebSocket-Key").isEmpty()) {
      exchange.sendText(400, "mismatch challenge/response");
    } else if (!exchange.getHeader("Sec-WebSocket-Version").equals(VERSION)) {
      exchange.setHeader("Sec-WebSocket-Version", VERSION);
      exchange.sendText(400, "missing or bad WebSocket Version");
    } else if (!hasOrigin(exchange)) {
      exchange.sendText(403, "kube-apiserver refuses a WebSocket without the header Origin");
    } else if (getProtocols(exchange).size() > 1) {
      exchange.sendText(400, "missing or bad WebSocket-Protocol");
    } else {
      return false;
    }
    return true;
  }

  private static boolean hasOrigin(RequestExchange exchange) {
    try {
      URI origin = new URI(exchange.getHeader("Origin"));
      return origin.isAbsolute() || origin.getPath().startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Wraps the connection so that each write is one message without a length prefix. */
  static OutputStream wrapMessages(OutputStream connection, String contentType) {
    return contentType.equals("application/json") ? connection : new MessageStream(connection);
  }

  private static final class MessageStream extends FilterOutputStream {
    MessageStream(OutputStream target) {
      super(target);
    }

    @Override
    public void write(byte[] frame, int offset, int length) throws IOException {
      out.write(frame, offset + LENGTH_PREFIX, length - LENGTH_PREFIX);
    }
  }
}
