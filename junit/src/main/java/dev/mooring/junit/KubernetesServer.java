package dev.mooring.junit;

import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.apiserver.intercept.ReceivedRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The API server of a test class, with the namespace of the class. Thread-safe. */
public final class KubernetesServer {
  private static final Duration QUIET = Duration.ofMillis(250);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ApiServer server;
  private final String adminToken;
  private final NamespaceRequests requests;
  private final NamespaceObjects objects;
  private final boolean isShared;

  KubernetesServer(
      ApiServer server, String adminToken, NamespaceRequests requests, boolean isShared) {
    this.isShared = isShared;
    this.server = server;
    this.adminToken = adminToken;
    this.requests = requests;
    this.objects = new NamespaceObjects(server.handlers(), requests.namespace());
  }

  public String url() {
    return server.url();
  }

  /** Returns the name of the namespace of the class. */
  public String namespace() {
    return requests.namespace();
  }

  /** Returns a kubeconfig of the administrator, with the namespace as default, as YAML. */
  public String kubeconfig() {
    return server.kubeconfig(adminToken, namespace());
  }

  /**
   * Returns a kubeconfig of a service account of the namespace, as YAML. It has only the rights
   * that roles and bindings grant. The ServiceAccount object need not exist.
   */
  public String kubeconfigOf(String serviceAccount) {
    String token = UUID.randomUUID().toString();
    String user = "system:serviceaccount:" + namespace() + ":" + serviceAccount;
    server
        .tokens()
        .accept(
            token,
            RequestUser.of(
                user,
                "",
                List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace())));
    return server.kubeconfig(token, namespace());
  }

  /**
   * Returns the latest 10,000 requests of the current test, in the order of their arrival: those
   * for the namespace, and those for cluster-scoped objects and all namespaces.
   */
  public List<ReceivedRequest> requests() {
    return requests.list();
  }

  /** Discards the recorded requests. The extension does this before each test. */
  public void forgetRequests() {
    requests.reset();
  }

  /**
   * Refuses the next request with this verb for this resource with a Status. Further calls add
   * refusals. Those that no request has met by the end of the test are discarded.
   *
   * @param verb get, list, watch, create, update, patch, delete or deletecollection
   * @param resource the plural name, with its subresource: {@code pods}, {@code pods/status}
   * @param code the HTTP status code, 400 to 599
   * @throws IllegalArgumentException if the verb or code is none of these
   */
  public void failNext(String verb, String resource, int code) {
    requests.failNext(verb, resource, code);
  }

  /**
   * Waits until no request has arrived for 250 ms. Requests for leases do not count.
   *
   * @throws AssertionError if requests continue for 30 s; the message names the latest
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitRest() throws InterruptedException {
    requests.awaitRest(QUIET, LIMIT);
  }

  /**
   * Waits like {@link #awaitRest()}.
   *
   * @param quiet the time without requests
   * @param limit the longest wait
   * @throws AssertionError if requests continue until the limit; the message names the latest
   * @throws InterruptedException if the thread is interrupted
   */
  public void awaitRest(Duration quiet, Duration limit) throws InterruptedException {
    requests.awaitRest(quiet, limit);
  }

  /**
   * Moves the clock of the server, which sets the times of creation and deletion. Clients use their
   * own clocks.
   *
   * @param duration negative to move the clock back
   * @throws IllegalStateException if other classes share the server
   */
  public void advanceClock(Duration duration) {
    if (isShared) {
      throw new IllegalStateException(
          "all classes on this server share its clock; use lifecycle = PER_CLASS");
    }
    server.clock().advance(duration);
  }

  /** Returns the current objects of the namespace, for {@link #restore}. */
  public NamespaceSnapshot snapshot() {
    return objects.snapshot();
  }

  /**
   * Restores the objects of the namespace. Restored objects keep their uids and get new
   * resourceVersions; watches see the changes. Cluster-scoped objects stay as they are.
   */
  public void restore(NamespaceSnapshot snapshot) {
    objects.restore(snapshot);
  }

  /** Returns the objects of the namespace as YAML documents, without managedFields. */
  public String describeObjects() {
    return objects.describe();
  }

  void deleteNamespace() {
    objects.deleteAll();
  }

  NamespaceRequests recorder() {
    return requests;
  }
}
