package dev.mooring.kube;

import dev.mooring.kube.auth.ClusterLogin;
import dev.mooring.kube.auth.Credentials.CredentialSet;
import dev.mooring.kube.auth.KubeConfigException;
import dev.mooring.kube.http.ApiRequest;
import dev.mooring.kube.http.ApiResponse;
import dev.mooring.kube.http.Transport;
import dev.mooring.kube.wire.BodyDecoder;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Connection to an API server, with credentials. Renews credentials and certificates before they
 * expire, when their files change, and when the server rejects them. Without usable credentials
 * every call fails with an {@link IOException} whose one-line message states the reason.
 * Thread-safe.
 */
public final class KubeConnection implements AutoCloseable {
  // No decoder reads managedFields. API servers without the feature gate ManagedFieldsOptOut
  // ignore the parameter.
  private static final String WITHOUT_MANAGED_FIELDS = ";drop=metadata.managedFields";
  static final String ACCEPT =
      BodyDecoder.PROTOBUF + WITHOUT_MANAGED_FIELDS + ",application/json" + WITHOUT_MANAGED_FIELDS;

  private static final Duration MAX_CALL = Duration.ofMinutes(1);
  private static final Duration MAX_OUTAGE_CALL = Duration.ofSeconds(5);

  static final String JSON = "application/json";
  private static final byte[] NO_BODY = {};

  private final ClusterLogin login;
  private final Transport transport;
  private final String userAgent;
  private final RequestTargets targets;
  private volatile RequestListener listener = RequestListener.NONE;
  private volatile boolean isReadOnly;
  private final Supplier<Duration> callLimit;
  private final AtomicReference<@Nullable FutureTask<String>> backgroundProbe =
      new AtomicReference<>();

  private KubeConnection(ClusterLogin login, String userAgent) {
    this.login = login;
    this.userAgent = userAgent;
    this.targets = new RequestTargets(login.server());
    this.transport = new Transport(login, this::intercept);
    this.callLimit = () -> MAX_CALL;
  }

  private KubeConnection(KubeConnection original, Supplier<Duration> callLimit) {
    this.login = original.login;
    this.transport = original.transport;
    this.targets = original.targets;
    this.userAgent = original.userAgent;
    this.callLimit = callLimit;
  }

  /**
   * Returns a view of this connection with a time limit per call. Watches are not limited.
   *
   * @param callLimit limit of a call that starts now; no call starts when it is zero. Queried for
   *     each call
   */
  public KubeConnection within(Supplier<Duration> callLimit) {
    return new KubeConnection(this, callLimit);
  }

  KubeConnection unlimited() {
    return within(() -> MAX_CALL);
  }

  /**
   * Connects with kubeconfig files, merged in this order.
   *
   * @param files at least one
   * @param context name of the context; "" for the current one
   * @throws KubeConfigException if the configuration is unusable
   */
  public static KubeConnection ofFiles(List<Path> files, String context, String userAgent)
      throws KubeConfigException {
    return ofFiles(files, context, userAgent, new SystemTime());
  }

  /**
   * Connects with kubeconfig files. The given clock decides when credentials expire and files are
   * read again.
   *
   * @throws KubeConfigException if the configuration is unusable
   */
  public static KubeConnection ofFiles(
      List<Path> files, String context, String userAgent, Time time) throws KubeConfigException {
    return new KubeConnection(ClusterLogin.ofFiles(files, context, time), userAgent);
  }

  public static KubeConnection inCluster(String userAgent) throws KubeConfigException {
    return new KubeConnection(ClusterLogin.inCluster(System.getenv(), new SystemTime()), userAgent);
  }

  /**
   * Connects with $KUBECONFIG, else with the pod's service account unless a context is named, else
   * with ~/.kube/config.
   */
  public static KubeConnection byDefault(String context, String userAgent)
      throws KubeConfigException {
    List<Path> files =
        findFiles(System.getenv(), context, Path.of(System.getProperty("user.home")));
    return files.isEmpty() ? inCluster(userAgent) : ofFiles(files, context, userAgent);
  }

  // Returns no file for the pod's service account.
  static List<Path> findFiles(Map<String, String> environment, String context, Path home) {
    List<Path> files = parsePaths(environment.getOrDefault("KUBECONFIG", ""));
    boolean isInPod = environment.containsKey("KUBERNETES_SERVICE_HOST");
    return files.isEmpty() && !(isInPod && context.isEmpty())
        ? List.of(home.resolve(".kube").resolve("config"))
        : files;
  }

  // Empty parts do not count: scripts append files to a variable that is not set.
  static List<Path> parsePaths(String variable) {
    return Arrays.stream(variable.split(File.pathSeparator))
        .filter(part -> !part.isBlank())
        .map(Path::of)
        .toList();
  }

  public void listen(RequestListener listener) {
    this.listener = listener;
  }

  /**
   * Makes this connection, and every view of it, send no request except reads: others fail with an
   * {@link IOException} before they are sent. Cannot be undone.
   */
  public void forbidWrites() {
    isReadOnly = true;
  }

  public String address() {
    String url = login.server().toString();
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  public String namespace() {
    return login.namespace().isEmpty() ? "default" : login.namespace();
  }

  public String host() {
    return login.server().host() + ":" + login.server().port();
  }

  /**
   * Probes the server with a request that Mooring needs.
   *
   * @return "" if the server answers, else problem and remedy, on one line
   */
  public String probe() {
    FutureTask<String> probe = backgroundProbe.getAndSet(null);
    if (probe == null) {
      return probeNow();
    }
    try {
      return probe.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // also interrupts the next probe
      return probeNow();
    }
  }

  /**
   * Starts a {@link #probe} in the background, because connecting takes as long as the rest of the
   * start. The next probe returns its result.
   */
  public void probeAhead() {
    FutureTask<String> probe = new FutureTask<>(this::probeNow);
    backgroundProbe.set(probe);
    Thread.ofVirtual().name("first-probe").start(probe);
  }

  private String probeNow() {
    return new ServerProbe(this).findProblem();
  }

  /**
   * Returns why the API server is unavailable: unreachable or an internal error. A refusal counts
   * as available.
   *
   * @return "" if available, else the problem, on one line
   */
  public String outage() {
    return new ServerProbe(within(() -> MAX_OUTAGE_CALL)).findOutage();
  }

  static String describeRootCause(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String text = root.getMessage();
    String name = root.getClass().getSimpleName();
    return text == null || text.isBlank() ? name : text.lines().findFirst().orElse(name);
  }

  ApiResponse send(
      String method, ApiPath path, Map<String, String> query, String contentType, byte[] body)
      throws IOException {
    return exchange(
        new ApiRequest(
            method, targets.encode(path, query), makeHeaders(ACCEPT), contentType, body));
  }

  ApiResponse post(ApiPath path, byte[] body) throws IOException {
    return exchange(
        new ApiRequest("POST", targets.encode(path, Map.of()), makeHeaders(JSON), JSON, body));
  }

  ApiResponse get(ApiPath path, Map<String, String> query) throws IOException {
    return get(path, query, ACCEPT);
  }

  ApiResponse get(ApiPath path, Map<String, String> query, String accept) throws IOException {
    return exchange(
        new ApiRequest("GET", targets.encode(path, query), makeHeaders(accept), "", NO_BODY));
  }

  /**
   * Creates a call whose response may take arbitrarily long; cancelling the call ends it.
   *
   * @param maxSilence longest time without data
   * @param maxDuration total time limit; zero for none
   */
  Call watch(ApiPath path, Map<String, String> query, Duration maxSilence, Duration maxDuration)
      throws IOException {
    CredentialSet credentials = login.credentials().current(MAX_CALL);
    Request.Builder request =
        new Request.Builder()
            .url(Objects.requireNonNull(login.server().resolve(targets.encode(path, query))))
            .tag(CredentialSet.class, credentials);
    makeHeaders(ACCEPT)
        .forEach((name, values) -> values.forEach(value -> request.addHeader(name, value)));
    if (!credentials.authorization().isEmpty()) {
      request.header("Authorization", credentials.authorization());
    }
    return transport
        .getClients(credentials)
        .watching()
        .newBuilder()
        .readTimeout(maxSilence)
        .callTimeout(maxDuration)
        .build()
        .newCall(request.build());
  }

  // Retries once with new credentials or certificates if the server rejects the current ones.
  private ApiResponse exchange(ApiRequest request) throws IOException {
    Duration limit = callLimit.get();
    if (!limit.isPositive()) {
      throw new IOException("this replica is not the leader: nothing was sent");
    }
    long startNanos = System.nanoTime();
    CredentialSet credentials = login.credentials().current(limit);
    Transport.Clients clients = transport.getClients(credentials);
    IOException failure;
    try {
      ApiResponse response =
          execute(clients, request, credentials, getRemaining(limit, startNanos));
      if (response.code() != 401
          || !isOutdated(credentials, clients, getRemaining(limit, startNanos))) {
        return response;
      }
      response.close();
      failure = new IOException("the server does not accept the credentials (401)");
    } catch (SSLException e) {
      if (!isOutdated(credentials, clients, getRemaining(limit, startNanos))) {
        throw e;
      }
      failure = e;
    }
    try {
      CredentialSet newCredentials = login.credentials().current(getRemaining(limit, startNanos));
      return execute(
          transport.getClients(newCredentials),
          request,
          newCredentials,
          getRemaining(limit, startNanos));
    } catch (IOException e) {
      e.addSuppressed(failure);
      throw e;
    }
  }

  // Returns the remaining time, at least a millisecond: zero would mean no limit.
  private static Duration getRemaining(Duration limit, long startNanos) {
    long remainingNanos = limit.toNanos() - (System.nanoTime() - startNanos);
    return Duration.ofNanos(Math.max(remainingNanos, Duration.ofMillis(1).toNanos()));
  }

  private ApiResponse execute(
      Transport.Clients clients, ApiRequest request, CredentialSet credentials, Duration limit)
      throws IOException {
    if (isReadOnly && !request.method().equals("GET")) {
      throw new IOException("this connection only reads: " + request.method() + " was not sent");
    }
    long startNanos = System.nanoTime();
    int code = -1;
    try {
      ApiResponse response = clients.calls().execute(request, credentials.authorization(), limit);
      code = response.code();
      return response;
    } catch (SSLException e) {
      renewAfterTlsFailure(credentials, limit);
      throw e;
    } finally {
      listener.sent(request.method(), code, System.nanoTime() - startNanos);
      if (code == 401) {
        renewCredentials(credentials, limit);
      }
    }
  }

  private boolean isOutdated(CredentialSet credentials, Transport.Clients clients, Duration limit)
      throws IOException {
    CredentialSet newCredentials = login.credentials().current(limit);
    return !newCredentials.equals(credentials) || transport.getClients(newCredentials) != clients;
  }

  // Observes lists and watches, and renews rejected credentials.
  private Response intercept(Interceptor.Chain chain) throws IOException {
    Request request = chain.request();
    CredentialSet credentials = Objects.requireNonNull(request.tag(CredentialSet.class));
    long startNanos = System.nanoTime();
    int code = -1;
    try {
      Response response = chain.proceed(request);
      code = response.code();
      return response;
    } catch (SSLException e) {
      renewAfterTlsFailure(credentials, MAX_CALL);
      throw e;
    } finally {
      boolean isWatch = request.url().queryParameter("watch") != null;
      listener.sent(request.method(), code, isWatch ? -1 : System.nanoTime() - startNanos);
      if (code == 401) {
        renewCredentials(credentials, MAX_CALL);
      }
    }
  }

  private void renewAfterTlsFailure(CredentialSet credentials, Duration limit) {
    transport.rereadAuthority();
    renewCredentials(credentials, limit);
  }

  private void renewCredentials(CredentialSet credentials, Duration limit) {
    try {
      login.credentials().handleRejection(credentials, limit);
    } catch (IOException failed) {
      // logged by the credentials, and reported by the next call
    }
  }

  private Map<String, List<String>> makeHeaders(String accept) {
    Map<String, List<String>> headers = new LinkedHashMap<>(login.impersonationHeaders());
    headers.put("Accept", List.of(accept));
    headers.put("User-Agent", List.of(userAgent));
    return headers;
  }

  public void cancelCalls() {
    transport.cancelCalls();
  }

  @Override
  public void close() {
    transport.close();
  }
}
