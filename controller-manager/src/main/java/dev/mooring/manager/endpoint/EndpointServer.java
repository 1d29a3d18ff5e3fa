package dev.mooring.manager.endpoint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.kube.SubjectReviews;
import dev.mooring.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * HTTP server for {@code /healthz /livez /readyz /metrics} and for resuming deletions. Health is
 * public; the rest requires authorization by the API server, except on loopback.
 */
public final class EndpointServer {
  public static final String RESUME_PATH = "/deletions/resume";

  public static final String COMMAND_HEADER = "Mooring-Command";

  private static final int MAX_REQUESTS = 64;
  private static final int MAX_BODY_BYTES = 64 << 10;
  private static final int SERVER_BACKLOG = 64;

  /**
   * Content of the answers.
   *
   * @param notReady why the process is not ready; "" if it is
   * @param stoppedParts parts of a ready process that do not run, one sentence each
   * @param resume resumes deletions and returns "" or why they stay held
   * @param deletions describes the held deletions
   */
  public record Answers(
      Supplier<String> notReady,
      Supplier<List<String>> stoppedParts,
      Metrics metrics,
      Supplier<String> resume,
      Supplier<String> deletions) {
    public Answers(Supplier<String> notReady, Metrics metrics, Supplier<String> resume) {
      this(notReady, List::of, metrics, resume, () -> "");
    }
  }

  @FunctionalInterface
  public interface Metrics {
    void write(OutputStream out) throws IOException;
  }

  @FunctionalInterface
  public interface Pages {
    /**
     * Answers one request of any method and path; the caller closes the exchange.
     *
     * @throws IOException if the client has disconnected
     */
    void answer(HttpExchange exchange) throws IOException;
  }

  private record Answer(int code, String type, byte[] body) {
    static Answer text(int code, String body) {
      return new Answer(code, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static final Answer TOO_LONG = Answer.text(413, "request body too large\n");

  private final HttpServer server;
  private final ConnectionGate gate;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore requestPermits = new Semaphore(MAX_REQUESTS);
  private final Answers answers;
  private final Optional<EndpointAuthorizer> authorizer;
  private final Optional<Pages> pages;
  private final LocalNames localNames;

  private EndpointServer(
      BoundServer bound,
      EndpointConfig config,
      Content content,
      Optional<EndpointAuthorizer> authorizer) {
    this.server = bound.server;
    this.gate = bound.gate;
    this.localNames = new LocalNames(config);
    this.answers = content.answers;
    this.pages = content.pages;
    this.authorizer = authorizer;
  }

  private record Content(Answers answers, Optional<Pages> pages) {}

  private record BoundServer(HttpServer server, ConnectionGate gate) {
    static BoundServer of(ServerSocket listener, HttpServer server, Time time) {
      return new BoundServer(server, ConnectionGate.start(listener, server.getAddress(), time));
    }
  }

  private static InetSocketAddress loopbackAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  public static EndpointServer start(
      EndpointConfig config, Answers answers, SubjectReviews reviews, Time time)
      throws IOException {
    return start(config, new Content(answers, Optional.empty()), reviews, time);
  }

  public static EndpointServer ofPages(
      EndpointConfig config,
      Supplier<String> notReady,
      Pages pages,
      SubjectReviews reviews,
      Time time)
      throws IOException {
    Answers health = new Answers(notReady, out -> {}, () -> "");
    return start(config, new Content(health, Optional.of(pages)), reviews, time);
  }

  private static EndpointServer start(
      EndpointConfig config, Content content, SubjectReviews reviews, Time time)
      throws IOException {
    if (!config.usesTls()) {
      ServerSocket listener = ConnectionGate.bind(config.address());
      HttpServer server = HttpServer.create(loopbackAddress(), SERVER_BACKLOG);
      LocalKey.delete(listener.getLocalPort()); // stale key of a killed process
      return startServer(
          new EndpointServer(
              BoundServer.of(listener, server, time), config, content, Optional.empty()));
    }
    ClientCertificates clients = new ClientCertificates(config.clientAuthority());
    ServingKeys keys = new ServingKeys(config, clients);
    ServerSocket listener = ConnectionGate.bind(config.address());
    HttpsServer server = HttpsServer.create(loopbackAddress(), SERVER_BACKLOG);
    server.setHttpsConfigurator(new Configurator(keys.context(), clients.isEnabled()));
    LocalKey key = LocalKey.of(keys.fingerprint());
    key.publish(listener.getLocalPort());
    Optional<EndpointAuthorizer> authorizer =
        config.requiresCredentials()
            ? Optional.of(new EndpointAuthorizer(reviews, clients, key, time))
            : Optional.empty();
    return startServer(
        new EndpointServer(BoundServer.of(listener, server, time), config, content, authorizer));
  }

  private static EndpointServer startServer(EndpointServer endpoints) {
    endpoints.server.setExecutor(endpoints.executor);
    endpoints.server.createContext("/", endpoints::handle);
    endpoints.server.start();
    return endpoints;
  }

  private static final class Configurator extends HttpsConfigurator {
    private final boolean wantsClientCertificates;

    Configurator(SSLContext context, boolean wantsClientCertificates) {
      super(context);
      this.wantsClientCertificates = wantsClientCertificates;
    }

    @Override
    public void configure(HttpsParameters parameters) {
      SSLParameters sslParameters = getSSLContext().getDefaultSSLParameters();
      sslParameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
      sslParameters.setWantClientAuth(wantsClientCertificates);
      parameters.setSSLParameters(sslParameters);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Optional<Answer> health = health(exchange);
      if (health.isPresent()) { // probes must not fail because other requests are slow
        send(exchange, health.get());
        return;
      }
      if (!requestPermits.tryAcquire()) {
        exchange.getResponseHeaders().set("Retry-After", "1");
        send(exchange, Answer.text(429, "too many requests at once\n"));
        return;
      }
      try {
        Optional<Answer> refusal = findRefusal(exchange);
        if (refusal.isPresent()) {
          send(exchange, refusal.get());
        } else if (pages.isPresent()) {
          pages.get().answer(exchange);
        } else {
          send(exchange, route(exchange));
        }
      } finally {
        requestPermits.release();
      }
    }
  }

  private Optional<Answer> health(HttpExchange exchange) {
    String path = path(exchange);
    return switch (path) {
      case "/healthz", "/livez", "/readyz" ->
          Optional.of(
              isBodyTooLong(exchange)
                  ? TOO_LONG
                  : isRead(exchange) ? healthAnswer(path) : Answer.text(405, "GET or HEAD\n"));
      default -> Optional.empty();
    };
  }

  private Optional<Answer> findRefusal(HttpExchange exchange) {
    if (isBodyTooLong(exchange)) {
      return Optional.of(TOO_LONG);
    }
    return localNames.isPossiblyRebound(exchange.getRequestHeaders().getFirst("Host"))
        ? Optional.of(
            Answer.text(421, "use localhost or an IP address of this machine as host name\n"))
        : authorizer.flatMap(a -> toRefusal(a.authorize(accessRequest(exchange, path(exchange)))));
  }

  private static String path(HttpExchange exchange) {
    return String.valueOf(exchange.getRequestURI().getRawPath());
  }

  private static boolean isRead(HttpExchange exchange) {
    String method = exchange.getRequestMethod();
    return method.equals("GET") || method.equals("HEAD");
  }

  private Answer route(HttpExchange exchange) throws IOException {
    String path = path(exchange);
    boolean isRead = isRead(exchange);
    return switch (path) {
      case "/metrics" -> isRead ? metrics() : Answer.text(405, "GET or HEAD\n");
      case RESUME_PATH -> resume(exchange, exchange.getRequestMethod());
      default -> Answer.text(404, "not found; available: /healthz /livez /readyz /metrics\n");
    };
  }

  private static boolean isBodyTooLong(HttpExchange exchange) {
    String length = exchange.getRequestHeaders().getFirst("Content-Length");
    return length != null
        && (!length.matches("[0-9]{1,9}") || Integer.parseInt(length) > MAX_BODY_BYTES);
  }

  private Answer healthAnswer(String path) {
    if (!path.equals("/readyz")) {
      return Answer.text(200, "ok");
    }
    String problem = answers.notReady.get();
    if (!problem.isEmpty()) {
      return Answer.text(503, problem + "\n");
    }
    List<String> lines = new ArrayList<>(answers.stoppedParts.get());
    lines.addFirst("ok");
    return Answer.text(200, String.join("\n", lines));
  }

  private Answer metrics() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    answers.metrics.write(body);
    return new Answer(200, "text/plain; version=0.0.4; charset=utf-8", body.toByteArray());
  }

  private Answer resume(HttpExchange exchange, String method) {
    if (method.equals("GET")) {
      return Answer.text(200, answers.deletions.get());
    }
    // a custom header prevents cross-site requests from browsers
    if (!method.equals("POST") || !exchange.getRequestHeaders().containsKey(COMMAND_HEADER)) {
      return Answer.text(405, "use GET, or POST with the header " + COMMAND_HEADER + "\n");
    }
    String problem = answers.resume.get();
    return problem.isEmpty()
        ? Answer.text(200, "resumed\n")
        : Answer.text(503, "deletions stay held: " + problem + "\n");
  }

  private static EndpointAuthorizer.AccessRequest accessRequest(
      HttpExchange exchange, String path) {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    return new EndpointAuthorizer.AccessRequest(
        exchange.getRequestMethod().toLowerCase(Locale.ROOT),
        path,
        authorization == null ? "" : authorization,
        certificates(exchange));
  }

  private static X509Certificate[] certificates(HttpExchange exchange) {
    try {
      return exchange instanceof HttpsExchange secure
          ? Arrays.stream(secure.getSSLSession().getPeerCertificates())
              .map(X509Certificate.class::cast)
              .toArray(X509Certificate[]::new)
          : new X509Certificate[0];
    } catch (SSLPeerUnverifiedException e) {
      return new X509Certificate[0];
    }
  }

  private static Optional<Answer> toRefusal(EndpointAuthorizer.Verdict verdict) {
    return switch (verdict) {
      case EndpointAuthorizer.Verdict.Allowed() -> Optional.empty();
      case EndpointAuthorizer.Verdict.Unauthenticated() ->
          Optional.of(Answer.text(401, "Unauthorized\n"));
      case EndpointAuthorizer.Verdict.Forbidden(String message) ->
          Optional.of(Answer.text(403, "Forbidden: " + message + "\n"));
      case EndpointAuthorizer.Verdict.Undecided(String message) ->
          Optional.of(Answer.text(503, "authorization failed: " + message + "\n"));
    };
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", answer.type);
    exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
    if (answer.code == 413) {
      exchange.getResponseHeaders().set("Connection", "close");
    }
    if (answer.code == 401) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
    }
    boolean isHead = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.code, isHead ? -1 : answer.body.length);
    if (!isHead) {
      OutputStream out = exchange.getResponseBody();
      out.write(answer.body);
      out.flush(); // before reading the rest of the request body
    }
  }

  public InetSocketAddress address() {
    return gate.address();
  }

  public void stop() {
    if (server instanceof HttpsServer) {
      LocalKey.delete(address().getPort());
    }
    gate.close();
    server.stop(0);
    executor.shutdownNow();
  }
}
