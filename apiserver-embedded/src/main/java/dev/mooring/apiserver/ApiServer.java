package dev.mooring.apiserver;

import dev.mooring.apiserver.access.BearerTokens;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.http.route.RequestAudit;
import dev.mooring.apiserver.http.route.Router;
import dev.mooring.apiserver.intercept.RequestInterceptor;
import dev.mooring.apiserver.tls.CertificateAuthority;
import dev.mooring.apiserver.wire.HttpListener;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An API server that listens on the loopback interface. Thread-safe. */
public final class ApiServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ApiServer.class.getName());
  private static final long REQUEST_END_SECONDS = 5;

  /**
   * The options of a server.
   *
   * @param port the TCP port; 0 selects a free one
   * @param token the administrator's bearer token; "" disables authentication and authorization
   * @param dataDir the directory for the journal of all writes; null keeps objects in memory only
   * @param tls true to serve TLS with a certificate of the server's own authority
   * @param auditLog the file for the audit log; null disables it
   * @param streamsLists true to enable the feature gate WatchList (watches with sendInitialEvents)
   */
  public record ServerOptions(
      int port,
      String token,
      @Nullable Path dataDir,
      boolean tls,
      @Nullable Path auditLog,
      boolean streamsLists) {
    /** In memory, free port, no token, no TLS. */
    public static final ServerOptions DEFAULTS = new ServerOptions(0, "", null);

    /** Creates options without TLS and audit log, and with the feature gate WatchList. */
    public ServerOptions(int port, String token, @Nullable Path dataDir) {
      this(port, token, dataDir, false, null, true);
    }

    /** Returns a copy with TLS enabled. */
    public ServerOptions withTls() {
      return new ServerOptions(port, token, dataDir, true, auditLog, streamsLists);
    }

    /** Returns a copy that appends requests to the audit log; null disables it. */
    public ServerOptions withAuditLog(@Nullable Path file) {
      return new ServerOptions(port, token, dataDir, tls, file, streamsLists);
    }

    /**
     * Returns a copy with the feature gate WatchList disabled, like many servers before Kubernetes
     * 1.34.
     */
    public ServerOptions withoutStreamedLists() {
      return new ServerOptions(port, token, dataDir, tls, auditLog, false);
    }
  }

  private final HttpListener listener;
  private final ExecutorService requestThreads;
  private final ServerObjects objects;
  private final ServerOptions config;
  private final Optional<CertificateAuthority> authority;
  private final BearerTokens tokens = new BearerTokens();
  private final RequestAudit audit;
  private final Router router;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private ApiServer(
      ServerOptions config,
      HttpListener listener,
      ServerObjects objects,
      Optional<CertificateAuthority> authority)
      throws IOException {
    this.config = config;
    this.audit = RequestAudit.open(config.auditLog());
    this.listener = listener;
    this.authority = authority;
    this.objects = objects;
    this.router =
        new Router(
            objects.handlers(), config.token().isEmpty(), tokens, audit, config.streamsLists());
    this.requestThreads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("request-", 0).factory());
    if (!config.token().isEmpty()) {
      tokens.accept(config.token(), RequestUser.ADMIN);
    }
  }

  /**
   * Starts a server.
   *
   * @throws IOException if the port is taken or the data directory is not usable; the message names
   *     the cause and the remedy
   */
  public static ApiServer start(ServerOptions config) throws IOException {
    Optional<CertificateAuthority> authority =
        config.tls() ? Optional.of(createAuthority()) : Optional.empty();
    // with TLS, loading the classes of Netty takes as long as creating the objects
    FutureTask<HttpListener> binding = new FutureTask<>(() -> bind(config.port(), authority));
    Thread.ofPlatform().daemon().name("apiserver-start").start(binding);
    ServerObjects objects = null;
    try {
      objects = ServerObjects.open(config);
      ApiServer server = new ApiServer(config, await(binding), objects, authority);
      server.listener.start(server.router, server.requestThreads);
      return server;
    } catch (IOException | RuntimeException e) {
      abandon(binding, objects, e);
      throw e;
    }
  }

  private static HttpListener await(FutureTask<HttpListener> binding) throws IOException {
    try {
      return binding.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException refusal) {
        throw refusal;
      }
      throw new IllegalStateException("the listener cannot be created", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the server starts");
    }
  }

  private static void abandon(
      FutureTask<HttpListener> binding, @Nullable ServerObjects objects, Exception failure) {
    try {
      if (objects != null) {
        objects.close();
      }
      await(binding).close();
    } catch (IOException | IllegalStateException e) {
      if (e != failure) {
        failure.addSuppressed(e);
      }
    }
  }

  private static HttpListener bind(int port, Optional<CertificateAuthority> authority)
      throws IOException {
    try {
      return createListener(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), authority);
    } catch (BindException e) {
      throw new IOException(
          "port %s is in use (%s): choose another port with --port; 0 selects a free one"
              .formatted(port, e.getMessage()),
          e);
    }
  }

  private static CertificateAuthority createAuthority() throws IOException {
    try {
      return new CertificateAuthority();
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime cannot create a certificate: " + e.getMessage(), e);
    }
  }

  private static HttpListener createListener(
      InetSocketAddress address, Optional<CertificateAuthority> authority) throws IOException {
    try {
      return HttpListener.bind(address, authority.isEmpty() ? null : authority.get().server());
    } catch (GeneralSecurityException e) {
      throw new IOException("this Java runtime cannot serve TLS: " + e.getMessage(), e);
    }
  }

  /** Returns the TCP port. */
  public int port() {
    return listener.port();
  }

  /** Returns the base URL. */
  public String url() {
    return (config.tls() ? "https" : "http") + "://127.0.0.1:" + port();
  }

  /**
   * Returns the registry of additional bearer tokens. The server ignores them if {@link
   * ServerOptions#token} is "".
   */
  public BearerTokens tokens() {
    return tokens;
  }

  /**
   * Returns the authority that signs the server's certificate and client certificates.
   *
   * @throws IllegalStateException if the server does not use TLS
   */
  public CertificateAuthority authority() {
    return authority.orElseThrow(() -> new IllegalStateException("the server does not use TLS"));
  }

  /** Returns a kubeconfig for the server's administrator, as YAML. */
  public String kubeconfig() {
    return kubeconfig(config.token(), "");
  }

  /**
   * Returns a kubeconfig for the user of a bearer token, as YAML.
   *
   * @param token "" for none
   * @param namespace the default namespace of clients; "" for none
   */
  public String kubeconfig(String token, String namespace) {
    String user = token.isEmpty() ? "{}" : "{token: \"" + token + "\"}";
    String defaultNamespace = namespace.isEmpty() ? "" : ", namespace: \"" + namespace + "\"";
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: mooring
      cluster: {server: "%s"%s}
    users:
    - name: admin
      user: %s
    contexts:
    - name: mooring
      context: {cluster: mooring, user: admin%s}
    current-context: mooring
    """
        .formatted(url(), formatTrust(), user, defaultNamespace);
  }

  private String formatTrust() {
    if (authority.isEmpty()) {
      return "";
    }
    try {
      byte[] pem = authority.get().pem().getBytes(StandardCharsets.US_ASCII);
      return ", certificate-authority-data: " + Base64.getEncoder().encodeToString(pem);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the server's own certificate cannot be read", e);
    }
  }

  /**
   * Passes the following requests to the interceptor, which may refuse them; {@link
   * RequestInterceptor#NONE} ends this.
   */
  public void intercept(RequestInterceptor interceptor) {
    router.intercept(interceptor);
  }

  /** Returns the clock, which tests may advance. */
  public ServerClock clock() {
    return objects.clock();
  }

  /** Returns the handlers, for code that reads and writes objects without HTTP. */
  public ObjectHandlers handlers() {
    return objects.handlers();
  }

  /** Ends every watch and stops listening. A second call does nothing. */
  @Override
  public void close() throws IOException {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    objects.endWatches();
    listener.disconnect();
    requestThreads.shutdownNow();
    objects.handlers().getWebhooks().close();
    awaitRequests();
    listener.close();
    audit.close();
    objects.close();
  }

  // a request must not write to a connection whose event loop has ended, or to a closed journal
  private void awaitRequests() {
    try {
      if (!requestThreads.awaitTermination(REQUEST_END_SECONDS, TimeUnit.SECONDS)) {
        LOG.log(Level.WARNING, "a request did not end within {0} s", REQUEST_END_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
