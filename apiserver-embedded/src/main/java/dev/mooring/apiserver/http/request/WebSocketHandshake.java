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
  private static final String PROTOCOL = "Sec-WebSocket-Protocol";
  private static final String BEARER = "base64url.bearer.authorization.k8s.io.";
  private static final int LENGTH_PREFIX = 4;

  private WebSocketHandshake() {}

  public static boolean isAskedFor(RequestExchange exchange) {
    return exchange.header("Upgrade").equalsIgnoreCase("websocket")
        && exchange.headers("Connection").stream()
            .anyMatch(c -> c.toLowerCase(Locale.ROOT).contains("upgrade"));
  }

  /** Returns the offered subprotocols, without those that carry a token. */
  static List<String> protocols(RequestExchange exchange) {
    return offeredProtocols(exchange).stream().filter(p -> !p.startsWith(BEARER)).toList();
  }

  private static List<String> offeredProtocols(RequestExchange exchange) {
    return exchange.headers(PROTOCOL).stream()
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
  public static Optional<String> bearer(RequestExchange exchange) throws StatusException {
    if (!isAskedFor(exchange)) {
      return Optional.empty();
    }
    List<String> tokens =
        offeredProtocols(exchange).stream()
            .filter(protocol -> protocol.startsWith(BEARER))
            .map(protocol -> protocol.substring(BEARER.length()))
            .toList();
    if (tokens.isEmpty()) {
      return Optional.empty();
    }
    if (tokens.size() > 1 || protocols(exchange).isEmpty()) {
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
  public static boolean refuses(RequestExchange exchange) throws IOException {
    if (!isAskedFor(exchange)) {
      return false;
    }
    if (exchange.header("Sec-WebSocket-Key").isEmpty()) {
      exchange.text(400, "mismatch challenge/response");
    } else if (!exchange.header("Sec-WebSocket-Version").equals(VERSION)) {
      exchange.header("Sec-WebSocket-Version", VERSION);
      exchange.text(400, "missing or bad WebSocket Version");
    } else if (!hasOrigin(exchange)) {
      exchange.text(403, "kube-apiserver refuses a WebSocket without the header Origin");
    } else if (protocols(exchange).size() > 1) {
      exchange.text(400, "missing or bad WebSocket-Protocol");
    } else {
      return false;
    }
    return true;
  }

  private static boolean hasOrigin(RequestExchange exchange) {
    try {
      URI origin = new URI(exchange.header("Origin"));
      return origin.isAbsolute() || origin.getPath().startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Wraps the connection so that each write is one message without a length prefix. */
  static OutputStream messages(OutputStream connection, String contentType) {
    return contentType.equals("application/json") ? connection : new MessageStream(connection);
  }

  private static final class MessageStream extends FilterOutputStream {
    MessageStream(OutputStream to) {
      super(to);
    }

    @Override
    public void write(byte[] frame, int from, int length) throws IOException {
      out.write(frame, from + LENGTH_PREFIX, length - LENGTH_PREFIX);
    }
  }
}
