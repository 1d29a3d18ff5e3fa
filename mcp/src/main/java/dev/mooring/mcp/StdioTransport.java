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
 * One client, a message a line. The SDK's own transport ends at the first line that is no message,
 * and answers nothing any more once its input has ended: calls that were under way then would never
 * be answered to whoever pipes them in.
 */
final class StdioTransport implements McpServerTransportProvider, McpServerTransport {
  private static final int LONGEST = 1 << 20;
  private static final System.Logger LOG = System.getLogger(StdioTransport.class.getName());
  private static final String NO_PARAMETERS =
      "the parameters of this request are not as the protocol has them";
  private static final String NO_MESSAGE = "this line is no message of JSON-RPC 2.0";

  private final McpJsonMapper json;
  private final BoundedLines lines;
  private final OutputStream out;
  private final ReentrantLock writing = new ReentrantLock();
  private final Phaser underWay = new Phaser(1);
  private @Nullable McpServerSession session;
  private boolean isInitialized;

  StdioTransport(McpJsonMapper json, InputStream in, OutputStream out) {
    this.json = json;
    this.lines = new BoundedLines(in, LONGEST);
    this.out = out;
  }

  @Override
  public void setSessionFactory(McpServerSession.Factory factory) {
    session = factory.create(this);
  }

  /**
   * Reads until the input has ended, and waits until whatever was asked is answered.
   *
   * @throws IOException if it cannot be read, or the answers cannot be written
   */
  void serve() throws IOException {
    Optional<BoundedLines.Line> line = lines.next();
    while (line.isPresent()) {
      take(line.get());
      line = lines.next();
    }
    underWay.arriveAndAwaitAdvance();
  }

  private void take(BoundedLines.Line line) throws IOException {
    if (line.isTooLong()) {
      refuse(null, McpSchema.ErrorCodes.INVALID_REQUEST, "no message has more than 1 MiB");
    } else if (!line.text().isBlank()) {
      Optional<JSONRPCMessage> message = parsed(line.text());
      if (message.isPresent()) {
        take(message.get());
      } else {
        refuse(null, McpSchema.ErrorCodes.PARSE_ERROR, NO_MESSAGE);
      }
    }
  }

  private Optional<JSONRPCMessage> parsed(String text) {
    try {
      return Optional.of(McpSchema.deserializeJsonRpcMessage(json, text));
    } catch (IOException | RuntimeException noMessage) {
      return Optional.empty();
    }
  }

  /**
   * The session keeps whoever asks before it is initialized waiting, for ever if need be; and of
   * notifications it needs that one alone.
   */
  private void take(JSONRPCMessage message) throws IOException {
    if (message instanceof JSONRPCRequest request) {
      if (request.method().equals(McpSchema.METHOD_PING)) {
        write(JSONRPCResponse.result(request.id(), Map.of()));
      } else if (isInitialized || request.method().equals(McpSchema.METHOD_INITIALIZE)) {
        ask(request);
      } else {
        refuse(
            request.id(),
            McpSchema.ErrorCodes.INVALID_REQUEST,
            "nothing can be asked before initialize and notifications/initialized");
      }
    } else if (message instanceof JSONRPCNotification notification
        && notification.method().equals(McpSchema.METHOD_NOTIFICATION_INITIALIZED)) {
      isInitialized = true;
      handled(notification).subscribe();
    }
  }

  private void ask(JSONRPCRequest request) {
    underWay.register();
    handled(request).doFinally(end -> underWay.arriveAndDeregister()).subscribe();
  }

  private Mono<Void> handled(JSONRPCMessage message) {
    return session == null ? Mono.empty() : session.handle(message).onErrorComplete();
  }

  /** By JSON-RPC an error has an id, null if it is not known; the SDK's own may not be null. */
  private void refuse(@Nullable Object id, int code, String why) throws IOException {
    Map<String, @Nullable Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", McpSchema.JSONRPC_VERSION);
    message.put("id", id);
    message.put("error", new JSONRPCError(code, why));
    write(message);
  }

  private void write(Object message) throws IOException {
    byte[] bytes = (json.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8);
    writing.lock();
    try {
      out.write(bytes);
      out.flush();
    } finally {
      writing.unlock();
    }
  }

  /**
   * Where parameters are not as they should be the SDK fails, and says so in the words of its
   * decoder: nobody who asks has use for them.
   */
  private static JSONRPCMessage plain(JSONRPCMessage message) {
    if (message instanceof JSONRPCResponse response
        && response.error() != null
        && response.error().code() == McpSchema.ErrorCodes.INTERNAL_ERROR) {
      LOG.log(Level.DEBUG, "request {0}: {1}", response.id(), response.error().message());
      return JSONRPCResponse.error(
          response.id(), new JSONRPCError(McpSchema.ErrorCodes.INVALID_PARAMS, NO_PARAMETERS));
    }
    return message;
  }

  @Override
  public Mono<Void> sendMessage(JSONRPCMessage message) {
    return Mono.fromRunnable(() -> {
      try {
        write(plain(message));
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
    // what it reads and writes is the caller's
  }

  @Override
  public List<String> protocolVersions() {
    return McpServerTransportProvider.super.protocolVersions();
  }
}
