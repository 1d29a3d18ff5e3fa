package dev.mooring.it.faults;

import dev.mooring.it.ServerEndpoint;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A fault-injecting HTTP/1.1 proxy between a controller-manager and any API server, with optional
 * TLS to both. It records requests and faults. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {
  /** Maximum number of log lines. */
  private static final int LOG_SIZE = 400;

  private static final int DESCRIBED_LINES = 40;

  /** A request and the fault that was injected into it. */
  public record FaultedRequest(ProxiedRequest request, InjectedFault fault) {
    /** Creates a request with a conflict, for tests of code that evaluates faulted requests. */
    public static FaultedRequest conflicting(String method, String path) {
      HttpHead head = new HttpHead(method + " " + path + " HTTP/1.1", List.of());
      return new FaultedRequest(
          ProxiedRequest.of(head, new byte[0]), new CallFault.FalseConflict());
    }
  }

  private final ServerEndpoint server;
  private final Faults faults;
  private final ProxyTokens tokens = new ProxyTokens();
  private final ServerSocket listener;
  private final Optional<ProxyTls> tls;
  private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
  private final AtomicInteger pending = new AtomicInteger();
  private final Map<String, AtomicLong> requestCounts = new ConcurrentHashMap<>(); // by resource
  private final Map<Class<?>, Integer> injectedFaults = new HashMap<>();
  private final List<FaultedRequest> faultedRequests = new ArrayList<>();
  private final Deque<String> log = new ArrayDeque<>();
  private final long startTime = System.nanoTime();
  private final WatchSilence watchSilence = new WatchSilence();
  private final FailedWrites failedWrites = new FailedWrites();
  private volatile ProxiedWatches watches = new ProxiedWatches();
  private volatile @Nullable Invariants invariants;

  private FaultProxy(ServerEndpoint server, Faults faults, @Nullable ProxyTls tls)
      throws IOException {
    this.server = server;
    this.faults = faults;
    this.tls = Optional.ofNullable(tls);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    this.listener =
        tls == null
            ? new ServerSocket(0, 256, loopback)
            : tls.sockets().createServerSocket(0, 256, loopback);
  }

  /** Starts a proxy in front of the server, with TLS if {@code tls} is not null. */
  public static FaultProxy before(ServerEndpoint server, Faults faults, @Nullable ProxyTls tls)
      throws IOException {
    FaultProxy proxy = new FaultProxy(server, faults, tls);
    Thread.ofVirtual().name("fault-proxy").start(proxy::accept);
    return proxy;
  }

  /** Checks every write before the proxy forwards it. */
  public FaultProxy holding(Invariants checks) {
    invariants = checks;
    return this;
  }

  public String url() {
    return (tls.isPresent() ? "https" : "http") + "://127.0.0.1:" + listener.getLocalPort();
  }

  public String kubeconfig() {
    String authority =
        tls.map(proxyTls ->
                ", certificate-authority-data: "
                    + Base64.getEncoder()
                        .encodeToString(proxyTls.authority().getBytes(StandardCharsets.US_ASCII)))
            .orElse("");
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: proxy
      cluster: {server: "%s"%s}
    users:
    - name: somebody
      user: {tokenFile: "%s"}
    contexts:
    - name: proxy
      context: {cluster: proxy, user: somebody}
    current-context: proxy
    """
        .formatted(url(), authority, tokens.file());
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        clients.add(client);
        Thread.ofVirtual().name("fault-proxy-connection").start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        ProxyLink link = new ProxyLink(server)) {
      client.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(client.getInputStream());
      for (Optional<HttpHead> head = HttpHead.read(in);
          head.isPresent();
          head = HttpHead.read(in)) {
        byte[] body = head.get().body(in, false).readAllBytes();
        ProxiedExchange exchange =
            new ProxiedExchange(this, ProxiedRequest.of(head.get(), body), link, client);
        Thread disconnectWatcher =
            Thread.ofVirtual().start(() -> awaitDataOrDisconnect(in, exchange));
        serveRequest(exchange);
        if (!exchange.isEnded()) {
          return;
        }
        disconnectWatcher.join();
      }
    } catch (IOException | UncheckedIOException broken) {
      // one side has closed its connection, so the proxy closes the other one
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      clients.remove(client);
    }
  }

  /** Waits until the client sends more bytes or disconnects. */
  private static void awaitDataOrDisconnect(InputStream in, ProxiedExchange exchange) {
    try {
      in.mark(1);
      if (in.read() >= 0) {
        in.reset();
      } else {
        exchange.clientDisconnected();
      }
    } catch (IOException broken) {
      exchange.clientDisconnected();
    }
  }

  private void serveRequest(ProxiedExchange exchange) throws IOException, InterruptedException {
    ProxiedRequest request = exchange.request();
    if (request.isWatch()) {
      exchange.watches().recordRequest(request.path());
    }
    AtomicInteger outstandingCalls = request.isWatch() ? new AtomicInteger() : pending;
    outstandingCalls.incrementAndGet();
    try {
      verifyInvariants(request);
      Optional<InjectedFault> fault =
          tokens.isValid(request)
              ? faults.nextFault(request)
              : Optional.of(new CallFault.RejectedToken()); // no other check applies
      recordRequest(request, fault);
      failedWrites.record(request, fault.isPresent());
      if (fault.isPresent()) {
        fault.get().inject(exchange);
      } else {
        exchange.forward();
      }
    } finally {
      outstandingCalls.decrementAndGet();
    }
  }

  private void verifyInvariants(ProxiedRequest request) throws IOException, InterruptedException {
    Invariants checks = invariants;
    if (checks != null && request.isWrite()) {
      checks.verifyBefore(request);
    }
  }

  /**
   * Delivers a request to the server after its client was disconnected. The request may attach a
   * volume that another node has meanwhile. The controller detaches it when its cache has the
   * attachment.
   */
  void deliverLate(ProxiedRequest request) throws IOException, InterruptedException {
    addLogLine(request + " arrives late");
    if (!request.method().equals("POST")) {
      verifyInvariants(request);
    }
    try (ProxyLink link = new ProxyLink(server)) {
      link.send(request).body().readAllBytes();
    }
  }

  private void recordRequest(ProxiedRequest request, Optional<InjectedFault> fault) {
    if (!request.isWatch()) {
      requestCounts.computeIfAbsent(request.resource(), key -> new AtomicLong()).incrementAndGet();
    }
    synchronized (log) {
      fault.ifPresent(injected -> {
        injectedFaults.merge(injected.getClass(), 1, Integer::sum);
        faultedRequests.add(new FaultedRequest(request, injected));
      });
      addLogLine(request + fault.map(injected -> " <- " + injected).orElse(""));
    }
  }

  /** Adds a line to the log. */
  public void addLogLine(String line) {
    synchronized (log) {
      log.addLast(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startTime) + " ms " + line);
      if (log.size() > LOG_SIZE) {
        log.removeFirst();
      }
    }
  }

  Faults faults() {
    return faults;
  }

  ProxyTokens tokens() {
    return tokens;
  }

  ProxiedWatches watches() {
    return watches;
  }

  WatchSilence silence() {
    return watchSilence;
  }

  /** Silences all watches from now on; their connections stay open. */
  public void mute() {
    watchSilence.start();
  }

  /** Cuts the silenced watches, so that clients list again. */
  public void unmute() throws IOException {
    watchSilence.stop();
  }

  /** Removes all watches, because their client has exited. */
  public void forget() {
    watches = new ProxiedWatches();
  }

  /**
   * Returns whether all watches are open, no response is outstanding and no failed write awaits a
   * retry.
   */
  public boolean isCalm() {
    return pending.get() == 0 && watches.areAllOpen() && failedWrites.isEmpty();
  }

  /** Returns the figures behind {@link #isCalm} and the last requests, for messages. */
  public String describeActivity() {
    List<String> lines = log();
    return "outstanding calls: "
        + pending
        + ", open watches: "
        + watches
        + ", failed writes: "
        + failedWrites
        + ", last requests:\n"
        + String.join(
            "\n", lines.subList(Math.max(0, lines.size() - DESCRIBED_LINES), lines.size()));
  }

  /** Returns the number of requests except watches and requests for the resource. */
  public long requestsExcept(String resource) {
    return requestCounts.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(resource))
        .mapToLong(entry -> entry.getValue().get())
        .sum();
  }

  /** Returns how often each fault was injected. */
  public Map<Class<?>, Integer> injectedFaults() {
    synchronized (log) {
      return Map.copyOf(injectedFaults);
    }
  }

  public List<FaultedRequest> faultedRequests() {
    synchronized (log) {
      return List.copyOf(faultedRequests);
    }
  }

  /** Returns the recent requests and the faults injected into them. */
  public List<String> log() {
    synchronized (log) {
      return List.copyOf(log);
    }
  }

  /** Cuts the connections of all clients. */
  public void cutAll() {
    clients.forEach(client -> {
      try {
        client.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cutAll();
    tokens.close();
  }
}
