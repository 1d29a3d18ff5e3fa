package dev.mooring.kube;

import dev.mooring.kube.auth.Credentials.Shown;
import dev.mooring.kube.auth.KubeConfigException;
import dev.mooring.kube.auth.Login;
import dev.mooring.kube.auth.Transport;
import dev.mooring.kube.wire.Bodies;
import dev.mooring.time.SystemTime;
import dev.mooring.time.Time;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * A cluster and who we are there. Credentials and certificates are renewed while it is used: before
 * they end, when their files change, and when the server does not take them. While none can be had
 * every call fails with an {@link IOException} whose message says why on one line. Thread-safe.
 */
public final class KubeConnection implements AutoCloseable {
  private static final String ACCEPT = Bodies.PROTOBUF + ",application/json";

  private static final Duration LONGEST_CALL = Duration.ofMinutes(1);
  private static final Duration LONGEST_OUTAGE_CALL = Duration.ofSeconds(5);

  /** With less a call needs a limit of its own. */
  private static final Duration USUAL_CALL = LONGEST_CALL.minusSeconds(1);

  private final Login login;
  private final Transport transport;
  private final String userAgent;
  private volatile RequestListener listener = RequestListener.NONE;
  private final Supplier<Duration> left;
  private final AtomicReference<@Nullable FutureTask<String>> ahead = new AtomicReference<>();

  private KubeConnection(Login login, String userAgent) {
    this.login = login;
    this.userAgent = userAgent;
    this.transport = new Transport(login, this::sent);
    this.left = () -> LONGEST_CALL;
  }

  private KubeConnection(KubeConnection same, Supplier<Duration> left) {
    this.login = same.login;
    this.transport = same.transport;
    this.userAgent = same.userAgent;
    this.left = left;
  }

  /**
   * The same connection, on which no call begins when nothing is left, and none takes longer than
   * what is. Watches do not count.
   *
   * @param left how long a call that begins now may take; asked for every call
   */
  public KubeConnection within(Supplier<Duration> left) {
    return new KubeConnection(this, left);
  }

  /** The same connection, on which calls may always begin. */
  KubeConnection unlimited() {
    return within(() -> LONGEST_CALL);
  }

  /**
   * By kubeconfig files, merged in that order.
   *
   * @param files at least one
   * @param context the context to use, "" for the current one
   * @param userAgent how to introduce ourselves
   * @throws KubeConfigException if they cannot be used
   */
  public static KubeConnection ofFiles(List<Path> files, String context, String userAgent)
      throws KubeConfigException {
    return ofFiles(files, context, userAgent, new SystemTime());
  }

  /**
   * The same on that clock, by which credentials end and files are read again.
   *
   * @throws KubeConfigException if they cannot be used
   */
  public static KubeConnection ofFiles(
      List<Path> files, String context, String userAgent, Time time) throws KubeConfigException {
    return new KubeConnection(Login.ofFiles(files, context, time), userAgent);
  }

  /** By the service account of the pod that we run in. */
  public static KubeConnection inCluster(String userAgent) throws KubeConfigException {
    return new KubeConnection(Login.inCluster(System.getenv(), new SystemTime()), userAgent);
  }

  /** As kubectl finds one: $KUBECONFIG, then ~/.kube/config, then the pod's service account. */
  public static KubeConnection byDefault(String context, String userAgent)
      throws KubeConfigException {
    String variable = System.getenv("KUBECONFIG");
    if (variable != null && !variable.isBlank()) {
      List<Path> files =
          Arrays.stream(variable.split(File.pathSeparator))
              .filter(p -> !p.isBlank())
              .map(Path::of)
              .toList();
      return ofFiles(files, context, userAgent);
    }
    if (System.getenv("KUBERNETES_SERVICE_HOST") != null) {
      return inCluster(userAgent);
    }
    return ofFiles(
        List.of(Path.of(System.getProperty("user.home"), ".kube", "config")), context, userAgent);
  }

  /** Tells it of every request from now on. */
  public void listen(RequestListener told) {
    this.listener = told;
  }

  public String address() {
    String url = login.server().toString();
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /** The namespace that is meant where none is named: that of the context, else "default". */
  public String namespace() {
    return login.namespace().isEmpty() ? "default" : login.namespace();
  }

  public String host() {
    return login.server().host() + ":" + login.server().port();
  }

  /**
   * Asks the server for something that we need.
   *
   * @return "" if it answers, else what is wrong and the remedy, on one line
   */
  public String probe() {
    FutureTask<String> begun = ahead.getAndSet(null);
    if (begun == null) {
      return ask();
    }
    try {
      return begun.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // which also ends what is asked now
      return ask();
    }
  }

  /**
   * Begins to {@link #probe}, on a thread of its own, while there is something else to do: until a
   * connection is made takes as long as all the rest of a start. The next probe is told what comes
   * of it.
   */
  public void probeAhead() {
    FutureTask<String> begun = new FutureTask<>(this::ask);
    ahead.set(begun);
    Thread.ofVirtual().name("first-probe").start(begun);
  }

  private String ask() {
    return new ServerProbe(this).problem();
  }

  /**
   * Asks why the API server serves nothing: it is unreachable or fails internally. A refusal counts
   * as an answer.
   *
   * @return "" if it answers, else what is wrong, on one line
   */
  public String outage() {
    return new ServerProbe(within(() -> LONGEST_OUTAGE_CALL)).outage();
  }

  static String reason(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String text = root.getMessage();
    String name = root.getClass().getSimpleName();
    return text == null || text.isBlank() ? name : text.lines().findFirst().orElse(name);
  }

  /** Sends a request and waits for the head of the answer. The caller closes the answer. */
  Response send(
      String method, ApiPath path, Map<String, String> query, String contentType, byte[] body)
      throws IOException {
    return exchange(
        request(path, query, Map.of())
            .method(method, contentType.isEmpty() ? null : content(contentType, body)));
  }

  /** Creates something whose answer has to be JSON. The caller closes the answer. */
  Response post(ApiPath path, byte[] body) throws IOException {
    String json = "application/json";
    return exchange(request(path, Map.of(), Map.of("Accept", json)).post(content(json, body)));
  }

  private static RequestBody content(String type, byte[] body) {
    return RequestBody.create(body, MediaType.get(type));
  }

  /** Reads; those headers replace the usual ones. The caller closes the answer. */
  Response get(ApiPath path, Map<String, String> query, Map<String, String> more)
      throws IOException {
    return exchange(request(path, query, more));
  }

  /**
   * A request whose answer takes as long as it takes; cancelling the call ends it.
   *
   * @param silence how long nothing may come
   * @param whole when it ends at the latest, zero for never
   */
  Call watch(ApiPath path, Map<String, String> query, Duration silence, Duration whole)
      throws IOException {
    Shown shown = login.credentials().current(LONGEST_CALL);
    return transport
        .clients(shown)
        .watching()
        .newBuilder()
        .readTimeout(silence)
        .callTimeout(whole)
        .build()
        .newCall(showing(request(path, query, Map.of()), shown, LONGEST_CALL));
  }

  private static OkHttpClient limited(Transport.Clients clients, Duration most) {
    return most.compareTo(USUAL_CALL) < 0
        ? clients.calls().newBuilder().callTimeout(most).build()
        : clients.calls();
  }

  /** Once more if it is refused and there is something else to show by then. */
  private Response exchange(Request.Builder request) throws IOException {
    Duration most = left.get();
    if (!most.isPositive()) {
      throw new IOException("this replica does not lead (any more): nothing was sent");
    }
    long began = System.nanoTime();
    Shown shown = login.credentials().current(most);
    Transport.Clients clients = transport.clients(shown);
    IOException failure;
    try {
      Response answer = execute(clients, request, shown, rest(most, began));
      if (answer.code() != 401 || !isOutdated(shown, clients, rest(most, began))) {
        return answer;
      }
      answer.close();
      failure = new IOException("the server does not know us (401)");
    } catch (SSLException e) {
      if (!isOutdated(shown, clients, rest(most, began))) {
        throw e;
      }
      failure = e;
    }
    try {
      Shown fresh = login.credentials().current(rest(most, began));
      return execute(transport.clients(fresh), request, fresh, rest(most, began));
    } catch (IOException e) {
      e.addSuppressed(failure);
      throw e;
    }
  }

  /** Of so much time, what is left; never nothing, which would be no limit. */
  private static Duration rest(Duration most, long began) {
    long rest = most.toNanos() - (System.nanoTime() - began);
    return Duration.ofNanos(Math.max(rest, Duration.ofMillis(1).toNanos()));
  }

  private static Response execute(
      Transport.Clients clients, Request.Builder request, Shown shown, Duration most)
      throws IOException {
    return limited(clients, most).newCall(showing(request, shown, most)).execute();
  }

  private boolean isOutdated(Shown shown, Transport.Clients clients, Duration most)
      throws IOException {
    Shown fresh = login.credentials().current(most);
    return !fresh.equals(shown) || transport.clients(fresh) != clients;
  }

  /** What a call shows, and how long it may wait for something else to show. */
  private record Showing(Shown shown, Duration most) {}

  private static Request showing(Request.Builder request, Shown shown, Duration most) {
    if (!shown.authorization().isEmpty()) {
      request.header("Authorization", shown.authorization());
    }
    return request.tag(Showing.class, new Showing(shown, most)).build();
  }

  /** Sees every request, of watches too, so that whatever is refused is renewed. */
  private Response sent(Interceptor.Chain chain) throws IOException {
    Request request = chain.request();
    long began = System.nanoTime();
    int code = -1;
    try {
      Response answer = chain.proceed(request);
      code = answer.code();
      return answer;
    } catch (SSLException e) {
      code = -1;
      transport.distrusted();
      refused(request);
      throw e;
    } finally {
      boolean watches = request.url().queryParameter("watch") != null;
      listener.sent(request.method(), code, watches ? -1 : System.nanoTime() - began);
      if (code == 401) {
        refused(request);
      }
    }
  }

  private void refused(Request request) {
    Showing showing = request.tag(Showing.class);
    if (showing == null) {
      return;
    }
    try {
      login.credentials().refused(showing.shown(), showing.most());
    } catch (IOException said) {
      // the next call says it again, and the log has it
    }
  }

  private Request.Builder request(
      ApiPath path, Map<String, String> query, Map<String, String> more) {
    HttpUrl.Builder url = login.server().newBuilder();
    url.encodedPath(login.server().encodedPath().replaceAll("/+$", "") + path);
    query.forEach(url::addQueryParameter);
    Request.Builder request = new Request.Builder().url(url.build());
    login.headers().forEach((name, values) -> values.forEach(v -> request.addHeader(name, v)));
    request.header("Accept", ACCEPT).header("User-Agent", userAgent);
    more.forEach(request::header);
    return request;
  }

  /** Ends every call that is under way; watches go on. */
  public void cancelCalls() {
    transport.cancelCalls();
  }

  @Override
  public void close() {
    transport.close();
  }
}
