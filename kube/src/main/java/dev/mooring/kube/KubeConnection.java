package dev.mooring.kube;

import dev.mooring.kube.wire.Bodies;
import dev.mooring.model.Kind;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.KubeConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;

/**
 * A cluster and who we are there: address, TLS, credentials and their renewal are client-java's.
 * Thread-safe.
 */
public final class KubeConnection implements AutoCloseable {
  private static final String[] AUTHENTICATION = {"BearerToken"};
  private static final String ACCEPT = Bodies.PROTOBUF + ",application/json";

  private final ApiClient client;
  private final OkHttpClient calls;
  private final OkHttpClient watching;
  private final String userAgent;

  private KubeConnection(ApiClient client, String userAgent) {
    this.client = client;
    this.userAgent = userAgent;
    Dispatcher dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(1024);
    dispatcher.setMaxRequestsPerHost(1024);
    boolean plain = client.getBasePath().startsWith("http://");
    OkHttpClient.Builder base =
        client
            .getHttpClient()
            .newBuilder()
            .dispatcher(dispatcher)
            .connectionPool(new ConnectionPool(256, 5, TimeUnit.MINUTES))
            .connectTimeout(Duration.ofSeconds(10));
    if (plain) {
      base.protocols(List.of(Protocol.HTTP_1_1));
    }
    this.calls =
        base.readTimeout(Duration.ofSeconds(30))
            .writeTimeout(Duration.ofSeconds(30))
            .callTimeout(Duration.ofSeconds(60))
            .build();
    this.watching = base.callTimeout(Duration.ZERO).pingInterval(Duration.ofSeconds(20)).build();
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
    KubeConfig config = KubeConfigFiles.read(files, context);
    try {
      return new KubeConnection(ClientBuilder.kubeconfig(config).build(), userAgent);
    } catch (IOException | RuntimeException e) {
      throw new KubeConfigException(
          "kubeconfig "
              + files
              + " cannot be used ("
              + reason(e)
              + "): check its certificates and credentials");
    }
  }

  /** By the service account of the pod that we run in. */
  public static KubeConnection inCluster(String userAgent) throws KubeConfigException {
    try {
      return new KubeConnection(ClientBuilder.cluster().build(), userAgent);
    } catch (IOException | RuntimeException e) {
      throw new KubeConfigException(
          "the pod's service account cannot be used ("
              + reason(e)
              + "): run inside a pod, or name a kubeconfig with --kubeconfig");
    }
  }

  /** As kubectl finds one: $KUBECONFIG, then ~/.kube/config, then the pod's service account. */
  public static KubeConnection byDefault(String context, String userAgent)
      throws KubeConfigException {
    String variable = System.getenv("KUBECONFIG");
    if (variable != null && !variable.isBlank()) {
      List<Path> files =
          java.util.Arrays.stream(variable.split(java.io.File.pathSeparator))
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

  /** Where the server is. */
  public String address() {
    return client.getBasePath();
  }

  /**
   * Asks the server for something that we need.
   *
   * @return "" if it answers, else what is wrong and the remedy, on one line
   */
  public String probe() {
    try (Response answer =
        send("GET", ApiPath.all(Kind.VOLUME), Map.of("limit", "1"), "", new byte[0])) {
      return switch (answer.code()) {
        case 200 -> "";
        case 401 ->
            "the API server at "
                + address()
                + " does not know us (401): check the token or client certificate in the kubeconfig";
        case 403 ->
            "the API server at "
                + address()
                + " does not let us list persistentvolumes (403): grant the volume controllers' permissions (docs/operations.md)";
        default ->
            "the API server at "
                + address()
                + " answers "
                + answer.code()
                + " when asked for persistentvolumes";
      };
    } catch (javax.net.ssl.SSLException e) {
      return "TLS with the API server at "
          + address()
          + " fails ("
          + reason(e)
          + "): check the address and certificate-authority in the kubeconfig";
    } catch (IOException e) {
      return "the API server at "
          + address()
          + " cannot be reached ("
          + reason(e)
          + "): check the address in the kubeconfig and the network";
    }
  }

  /** What went wrong, on one line. */
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
    return calls.newCall(request(method, path, query, contentType, body, Map.of())).execute();
  }

  /** Reads; those headers replace the usual ones. The caller closes the answer. */
  Response get(ApiPath path, Map<String, String> query, Map<String, String> more)
      throws IOException {
    return calls.newCall(request("GET", path, query, "", new byte[0], more)).execute();
  }

  /**
   * A request whose answer takes as long as it takes; cancelling the call ends it.
   *
   * @param silence how long nothing may come
   * @param whole when it ends at the latest, zero for never
   */
  Call watch(ApiPath path, Map<String, String> query, Duration silence, Duration whole)
      throws IOException {
    return watching
        .newBuilder()
        .readTimeout(silence)
        .callTimeout(whole)
        .build()
        .newCall(request("GET", path, query, "", new byte[0], Map.of()));
  }

  private Request request(
      String method,
      ApiPath path,
      Map<String, String> query,
      String contentType,
      byte[] body,
      Map<String, String> more)
      throws IOException {
    Map<String, String> headers = new HashMap<>();
    headers.put("Accept", ACCEPT);
    headers.put("User-Agent", userAgent);
    if (!contentType.isEmpty()) {
      headers.put("Content-Type", contentType);
    }
    headers.putAll(more);
    List<Pair> pairs =
        query.entrySet().stream().map(e -> new Pair(e.getKey(), e.getValue())).toList();
    Object content = contentType.isEmpty() ? null : body;
    try {
      return client.buildRequest(
          null,
          path.toString(),
          method,
          pairs,
          List.of(),
          content,
          headers,
          new HashMap<>(),
          new HashMap<>(),
          AUTHENTICATION,
          null);
    } catch (ApiException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Ends every call that is under way; watches go on. */
  public void cancelCalls() {
    calls.dispatcher().cancelAll();
  }

  /** Gives the connections back. */
  @Override
  public void close() {
    calls.dispatcher().cancelAll();
    calls.connectionPool().evictAll();
    calls.dispatcher().executorService().shutdown();
  }
}
