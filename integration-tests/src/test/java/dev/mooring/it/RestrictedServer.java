package dev.mooring.it;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.access.RequestUser;
import dev.mooring.cluster.RbacRule;
import dev.mooring.cluster.RbacRule.Target;
import dev.mooring.cluster.RbacRule.Verb;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.rights.RbacRole;
import dev.mooring.manager.rights.RbacRole.Rule;
import dev.mooring.manager.rights.RoleManifest;
import dev.mooring.testkit.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/**
 * A server with a ServiceAccount that has exactly the rights that a run's flags require, and a
 * record of its requests.
 */
public final class RestrictedServer implements AutoCloseable {
  /** Token of the administrator. */
  public static final String TOKEN = "everything";

  private static final String UNPRIVILEGED = "onlooker";
  private static final String NAMESPACE = "kube-system";
  private static final String ACCOUNT = "mooring";
  private static final List<String> SECRET_NAMESPACES = List.of("default");
  private static final Pattern PATH =
      Pattern.compile(
          "/api(?:s/(?<group>[^/]+))?/(?<version>v[^/]+)(?:/namespaces/(?<namespace>[^/]+))?/(?<resource>[^/]+)(?:/(?<name>[^/]+))?(?:/(?<sub>.+))?");

  /**
   * A request of a controller.
   *
   * @param target includes the namespace of the request
   * @param code of the response
   */
  public record RecordedRequest(String verb, Target target, int code) {}

  private final Path log;
  private final ApiServer server;
  private final boolean ownsServer;
  private List<RbacRole> roles = List.of();
  private Thread leaseHolder = Thread.ofVirtual().unstarted(() -> {});

  private RestrictedServer(Path log, ApiServer server, boolean ownsServer) {
    this.log = log;
    this.server = server;
    this.ownsServer = ownsServer;
  }

  /**
   * Returns the configuration of a server whose requests are recorded. Watches do not stream lists,
   * so that both list and watch are requested.
   */
  public static ApiServer.ServerOptions config(Path log) {
    return new ApiServer.ServerOptions(0, TOKEN, null).withAuditLog(log).withoutStreamedLists();
  }

  /** Starts a server that is closed with this object. */
  public static RestrictedServer start(Path folder) throws IOException {
    Path log = Files.createTempFile(folder, "audit", ".log");
    return new RestrictedServer(log, ApiServer.start(config(log)), true);
  }

  /** Uses a server that runs with {@link #config}. */
  public static RestrictedServer of(Path log, ApiServer server) {
    return new RestrictedServer(log, server, false);
  }

  public ApiServer server() {
    return server;
  }

  /** Returns the server's audit log. */
  public Path log() {
    return log;
  }

  public RestApi admin() {
    return RestApi.of(server, TOKEN);
  }

  /**
   * Creates an account with the rights for a run with these flags, except {@code leftOut}, and
   * returns its kubeconfig.
   */
  public Path kubeconfig(Path folder, List<String> flags, Predicate<RbacRule> leftOut)
      throws Exception {
    return kubeconfig(
        folder, RunFlags.rights(flags).stream().filter(right -> !leftOut.test(right)).toList());
  }

  /** Creates an account with exactly these rights and returns its kubeconfig. */
  public Path kubeconfig(Path folder, List<RbacRule> rights) throws Exception {
    return kubeconfig(folder, rights, "");
  }

  /**
   * Creates an account with the roles for these rights, without one of their {@link #lines}. This
   * method removes the line from the roles, because several rights may grant it.
   */
  public Path kubeconfig(Path folder, List<RbacRule> rights, String leftOut) throws Exception {
    roles =
        RbacRole.allowing(rights, SECRET_NAMESPACES).stream()
            .map(role -> removeLine(leftOut, role))
            .toList();
    apply(new RoleManifest("mooring", ACCOUNT, NAMESPACE).toYaml(roles));
    JsonObject request =
        JsonParser.parseString(
                "{\"kind\":\"TokenRequest\",\"apiVersion\":\"authentication.k8s.io/v1\",\"spec\":{}}")
            .getAsJsonObject();
    String token =
        admin()
            .post(
                "/api/v1/namespaces/" + NAMESPACE + "/serviceaccounts/" + ACCOUNT + "/token",
                request)
            .getAsJsonObject("status")
            .get("token")
            .getAsString();
    return Files.writeString(
        Files.createTempFile(folder, "kube", "config"),
        server.kubeconfig().replace('"' + TOKEN + '"', '"' + token + '"'));
  }

  /**
   * Holds the Lease of a process with these rights until it watches the Lease, then deletes the
   * Lease. Only a standby watches the Lease, and only a process without a Lease creates one.
   */
  void holdLeaseUntilWatched(List<RbacRule> rights) throws Exception {
    for (RbacRule right : rights) {
      if (right.verb() == Verb.WATCH
          && right.target().resource().equals("leases")
          && !right.target().name().isEmpty()) {
        holdUntilWatched(right.target());
      }
    }
  }

  private void holdUntilWatched(Target lease) throws Exception {
    admin()
        .create(
            JsonParser.parseString(
                    """
                    {"kind": "Lease", "apiVersion": "coordination.k8s.io/v1", "metadata": {"namespace": "%s", "name": "%s"},
                     "spec": {"holderIdentity": "earlier process", "leaseDurationSeconds": 3600}}
                    """
                        .formatted(lease.namespace(), lease.name()))
                .getAsJsonObject());
    leaseHolder =
        Thread.startVirtualThread(() -> {
          try {
            TestWait.until("watch of the Lease", this::isLeaseWatched);
            admin().delete("Lease", lease.namespace(), lease.name(), -1);
          } catch (Exception | AssertionError closed) {
            // the server is closed; a play that needs the Lease reports that it waits
          }
        });
  }

  private boolean isLeaseWatched() throws IOException {
    return requests().stream()
        .anyMatch(request ->
            request.verb().equals("watch") && request.target().resource().equals("leases"));
  }

  private void apply(String manifest) throws Exception {
    for (Object document : new Yaml().loadAll(manifest)) {
      JsonObject object = new Gson().toJsonTree(document).getAsJsonObject();
      String namespace =
          object.getAsJsonObject("metadata").has("namespace")
              ? "/namespaces/" + object.getAsJsonObject("metadata").get("namespace").getAsString()
              : "";
      String version = object.get("apiVersion").getAsString();
      admin()
          .post(
              (version.equals("v1") ? "/api/" : "/apis/")
                  + version
                  + namespace
                  + "/"
                  + object.get("kind").getAsString().toLowerCase(Locale.ROOT)
                  + "s",
              object);
    }
  }

  /** Returns the token of an account without rights, for which the server checks authorization. */
  public String unprivilegedToken() {
    server.tokens().accept(UNPRIVILEGED, RequestUser.of(UNPRIVILEGED, "", List.of()));
    return UNPRIVILEGED;
  }

  /** Returns the controllers' requests so far, without those of tests. */
  public List<RecordedRequest> requests() throws IOException {
    List<RecordedRequest> requests = new ArrayList<>();
    for (AuditEvent event : AuditEvent.read(log)) {
      Matcher path = PATH.matcher(event.path());
      if (event.isOfController() && path.matches()) {
        requests.add(new RecordedRequest(event.verb(), target(path), event.code()));
      }
    }
    return requests;
  }

  private static Target target(Matcher path) {
    return new Target(
        text(path, "group"),
        text(path, "resource") + (path.group("sub") == null ? "" : "/" + path.group("sub")),
        text(path, "namespace"),
        text(path, "name"));
  }

  private static String text(Matcher path, String group) {
    return path.group(group) == null ? "" : path.group(group);
  }

  /** Returns the forbidden requests. */
  public List<RecordedRequest> forbiddenRequests() throws IOException {
    return requests().stream().filter(request -> request.code() == 403).distinct().toList();
  }

  /**
   * Returns the forbidden requests in the notation of {@link #grantedRights}. A right for one
   * namespace covers requests in that namespace.
   *
   * @param right a line of {@link #grantedRights} that the account may lack
   */
  public TreeSet<String> forbiddenRights(String right) throws IOException {
    TreeSet<String> rights = new TreeSet<>();
    for (RecordedRequest request : forbiddenRequests()) {
      List<String> lines = lines(request);
      rights.add(lines.contains(right) ? right : lines.getLast());
    }
    return rights;
  }

  private static List<String> lines(RecordedRequest request) {
    Target target = request.target();
    return List.of("", target.namespace()).stream()
        .map(namespace ->
            line(
                request.verb(),
                target.group(),
                target.resource(),
                new RbacRole(namespace, List.of())))
        .toList();
  }

  private static RbacRole removeLine(String leftOut, RbacRole role) {
    List<Rule> rules = new ArrayList<>();
    for (Rule rule : role.rules()) {
      for (String resource : rule.resources()) {
        List<Verb> verbs =
            rule.verbs().stream()
                .filter(
                    verb -> !line(verb.toString(), rule.group(), resource, role).equals(leftOut))
                .toList();
        if (!verbs.isEmpty()) {
          rules.add(new Rule(rule.group(), List.of(resource), rule.names(), verbs));
        }
      }
    }
    return new RbacRole(role.namespace(), rules);
  }

  /** Returns what the account's roles allow: one line per verb and resource. */
  public TreeSet<String> grantedRights() {
    return lines(roles);
  }

  /** Returns what roles for these rights allow, in the notation of {@link #grantedRights}. */
  public static TreeSet<String> lines(Collection<RbacRule> rights) {
    return lines(RbacRole.allowing(rights, SECRET_NAMESPACES));
  }

  private static TreeSet<String> lines(List<RbacRole> roles) {
    TreeSet<String> lines = new TreeSet<>();
    roles.forEach(role ->
        role.rules()
            .forEach(rule ->
                rule.resources()
                    .forEach(resource ->
                        rule.verbs()
                            .forEach(verb ->
                                lines.add(line(verb.toString(), rule.group(), resource, role))))));
    return lines;
  }

  /** Returns a right in the notation of {@link #grantedRights}. */
  public static String line(RbacRule right) {
    Target target = right.target();
    return line(
        right.verb().toString(),
        target.group(),
        target.resource(),
        new RbacRole(target.namespace(), List.of()));
  }

  private static String line(String verb, String group, String resource, RbacRole role) {
    return verb
        + " "
        + resource
        + (group.isEmpty() ? "" : "." + group)
        + (role.namespace().isEmpty() ? "" : " in " + role.namespace());
  }

  /** Returns the lines of {@link #grantedRights} that allowed a request. */
  public TreeSet<String> usedRights() throws IOException {
    TreeSet<String> used = new TreeSet<>();
    TreeSet<String> granted = grantedRights();
    for (RecordedRequest request : requests()) {
      lines(request).stream().filter(granted::contains).findFirst().ifPresent(used::add);
    }
    return used;
  }

  @Override
  public void close() throws IOException {
    leaseHolder.interrupt();
    if (ownsServer) {
      server.close();
    }
  }
}
