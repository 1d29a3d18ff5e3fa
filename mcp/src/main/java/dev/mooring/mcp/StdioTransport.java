package dev.mooring.mcp;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Phaser;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Transport for one client, one message a line. The SDK's own transport stops at the first
 * malformed line. It also drops the answers of running calls once its input has ended, which breaks
 * piped use.
 */
final class StdioTransport implements McpServerTransportProvider, McpServerTransport {
  private static final int MAX_LINE_BYTES = 1 << 20;
  private static final System.Logger LOG = System.getLogger(StdioTransport.class.getName());
  private static final String MALFORMED_PARAMETERS =
      "the request's parameters do not conform to the protocol";
  private static final String MALFORMED_MESSAGE = "this line is not a JSON-RPC 2.0 message";

  private final McpJsonMapper json;
  private final BoundedLines lines;
  private final OutputStream out;
  private final ReentrantLock writeLock = new ReentrantLock();
  private final Phaser runningRequests = new Phaser(1);
  private @Nullable McpServerSession session;
  private boolean isInitialized;

  StdioTransport(McpJsonMapper json, InputStream in, OutputStream out) {
    this.json = json;
    this.lines = new BoundedLines(in, MAX_LINE_BYTES);
    this.out = out;
  }

  @Override
  public void setSessionFactory(McpServerSession.Factory factory) {
    session = factory.create(this);
  }

  void serve() throws IOException {
    Optional<BoundedLines.Line> line = lines.next();
    while (line.isPresent()) {
      dispatch(line.get());
      line = lines.next();
    }
    runningRequests.arriveAndAwaitAdvance();
  }

  private void dispatch(BoundedLines.Line line) throws IOException {
    if (line.isTooLong()) {
      sendError(null, McpSchema.ErrorCodes.INVALID_REQUEST, "a message must not exceed 1 MiB");
    } else if (!line.text().isBlank()) {
      Optional<JSONRPCMessage> message = parse(line.text());
      if (message.isPresent()) {
        dispatch(message.get());
      } else {
        sendError(null, McpSchema.ErrorCodes.PARSE_ERROR, MALFORMED_MESSAGE);
      }
    }
  }

  private Optional<JSONRPCMessage> parse(String text) {
    try {
      return Optional.of(McpSchema.deserializeJsonRpcMessage(json, text));
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Dispatches a message. The SDK's session blocks requests until it is initialized, possibly
   * forever, so this class refuses them. The session needs no notification except the initialized
   * one.
   */
  private void dispatch(JSONRPCMessage message) throws IOException {
    if (message instanceof JSONRPCRequest request) {
      if (request.method().equals(McpSchema.METHOD_PING)) {
        write(JSONRPCResponse.result(request.id(), Map.of()));
      } else if (isInitialized || request.method().equals(McpSchema.METHOD_INITIALIZE)) {
        submit(request);
      } else {
        sendError(
            request.id(),
            McpSchema.ErrorCodes.INVALID_REQUEST,
            "requests are accepted only after initialize and notifications/initialized");
      }
    } else if (message instanceof JSONRPCNotification notification
        && notification.method().equals(McpSchema.METHOD_NOTIFICATION_INITIALIZED)) {
      isInitialized = true;
      handle(notification).subscribe();
    }
  }

  private void submit(JSONRPCRequest request) {
    runningRequests.register();
    handle(request).doFinally(signal -> runningRequests.arriveAndDeregister()).subscribe();
  }

  private Mono<Void> handle(JSONRPCMessage message) {
    return session == null ? Mono.empty() : session.handle(message).onErrorComplete();
  }

  /**
   * Sends an error. JSON-RPC requires a null id if the id is unknown; the SDK's own type forbids
   * null.
   */
  private void sendError(@Nullable Object id, int code, String text) throws IOException {
    Map<String, @Nullable Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", McpSchema.JSONRPC_VERSION);
    message.put("id", id);
    message.put("error", new JSONRPCError(code, text));
    write(message);
  }

  private void write(Object message) throws IOException {
    byte[] bytes = (json.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
    writeLock.lock();
    try {
      out.write(bytes);
      out.flush();
    } finally {
      writeLock.unlock();
    }
  }

  /**
   * Replaces decoder messages about malformed parameters: the SDK exposes Java class names in them.
   */
  private static JSONRPCMessage hideDecoderError(JSONRPCMessage message) {
    if (message instanceof JSONRPCResponse response
        && response.error() != null
        && response.error().code() == McpSchema.ErrorCodes.INTERNAL_ERROR) {
      LOG.log(Level.DEBUG, "request {0}: {1}", response.id(), response.error().message());
      return JSONRPCResponse.error(
          response.id(),
          new JSONRPCError(McpSchema.ErrorCodes.INVALID_PARAMS, MALFORMED_PARAMETERS));
    }
    return message;
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.fromRunnable(() -> {
      try {
        write(hideDecoderError(message));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  @Override
  public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
    return json.convertValue(data, type);
  }

  @Override
  public Mono<Void> notifyClients(String method, Object params) {
    return session == null ? Mono.empty() : session.sendNotification(method, params);
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.empty();
  }

  @Override
  public void close() {
    // the caller owns both streams
  }

  @Override
  public List<String> protocolVersions() {
    return McpServerTransportProvider.super.protocolVersions();
  }
}
