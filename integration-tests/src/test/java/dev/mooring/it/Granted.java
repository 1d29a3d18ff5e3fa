package dev.mooring.it;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.ApiServer;
import dev.mooring.apiserver.access.User;
import dev.mooring.cluster.Right;
import dev.mooring.cluster.Right.Target;
import dev.mooring.cluster.Right.Verb;
import dev.mooring.manager.command.RunFlags;
import dev.mooring.manager.rights.Role;
import dev.mooring.manager.rights.Role.Rule;
import dev.mooring.manager.rights.RoleManifest;
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
 * A server on which a ServiceAccount may do just what a run's flags need, and what it has asked
 * for.
 */
public final class Granted implements AutoCloseable {
  /** Of who may do everything. */
  public static final String TOKEN = "everything";

  private static final String ONLOOKER = "onlooker";
  private static final String NAMESPACE = "kube-system";
  private static final String ACCOUNT = "mooring";
  private static final List<String> SECRETS = List.of("default");
  private static final Pattern PATH =
      Pattern.compile(
          "/api(?:s/(?<group>[^/]+))?/(?<version>v[^/]+)(?:/namespaces/(?<namespace>[^/]+))?/(?<resource>[^/]+)(?:/(?<name>[^/]+))?(?:/(?<sub>.+))?");

  /**
   * What it has asked for.
   *
   * @param target of the namespace in which it asked
   * @param code the answer's
   */
  public record Asked(String verb, Target target, int code) {}

  private final Path log;
  private final ApiServer server;
  private final boolean own;
  private List<Role> roles = List.of();

  private Granted(Path log, ApiServer server, boolean own) {
    this.log = log;
    this.server = server;
    this.own = own;
  }

  /**
   * How a server has to run so that what is asked of it can be looked at. Lists are not streamed by
   * watches, so that both rights are asked for.
   */
  public static ApiServer.Config config(Path log) {
    return new ApiServer.Config(0, TOKEN, null).withAuditLog(log).withoutStreamedLists();
  }

  /** A server of its own, which ends with it. */
  public static Granted start(Path folder) throws IOException {
    Path log = Files.createTempFile(folder, "audit", ".log");
    return new Granted(log, ApiServer.start(config(log)), true);
  }

  /** That server, which runs with {@link #config}. */
  public static Granted on(Path log, ApiServer server) {
    return new Granted(log, server, false);
  }

  /** The server. */
  public ApiServer server() {
    return server;
  }

  /** Where the server says what it is asked. */
  public Path log() {
    return log;
  }

  /** Who may do everything. */
  public Api admin() {
    return new Api(server.url(), TOKEN);
  }

  /**
   * A kubeconfig of an account that may do what a run with these flags needs, but what is left out.
   */
  public Path kubeconfig(Path folder, List<String> flags, Predicate<Right> leftOut)
      throws Exception {
    return kubeconfig(
        folder, RunFlags.rights(flags).stream().filter(right -> !leftOut.test(right)).toList());
  }

  /** A kubeconfig of an account that may do just that. */
  public Path kubeconfig(Path folder, List<Right> rights) throws Exception {
    return kubeconfig(folder, rights, "");
  }

  /**
   * A kubeconfig of an account that may do what the roles for these rights allow, without one line
   * of {@link #lines}. It is left out of the roles: left out of the rights, it might come back in
   * another role that was not needed beside it.
   */
  public Path kubeconfig(Path folder, List<Right> rights, String leftOut) throws Exception {
    roles = Role.allowing(rights, SECRETS).stream().map(role -> without(leftOut, role)).toList();
    apply(new RoleManifest("mooring", ACCOUNT, NAMESPACE).of(roles));
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

  private void apply(String manifest) throws Exception {
    for (Object one : new Yaml().loadAll(manifest)) {
      JsonObject object = new Gson().toJsonTree(one).getAsJsonObject();
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

  /**
   * The token of somebody who may do nothing, whom the server has to be asked about all the same.
   */
  public String onlooker() {
    server.tokens().accept(ONLOOKER, User.of(ONLOOKER, "", List.of()));
    return ONLOOKER;
  }

  /** What controllers have asked for so far; tests' own requests are left out. */
  public List<Asked> asked() throws IOException {
    List<Asked> all = new ArrayList<>();
    for (AuditEvent event : AuditEvent.read(log)) {
      Matcher path = PATH.matcher(event.path());
      if (event.isOfController() && path.matches()) {
        all.add(new Asked(event.verb(), target(path), event.code()));
      }
    }
    return all;
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

  /** What was refused for lack of a right. */
  public List<Asked> refused() throws IOException {
    return asked().stream().filter(asked -> asked.code() == 403).distinct().toList();
  }

  /**
   * What was refused, as {@link #granted} has it: where a right was not given for one namespace,
   * what was asked there is that right.
   *
   * @param missing what may have been left out
   */
  public TreeSet<String> refused(String missing) throws IOException {
    TreeSet<String> all = new TreeSet<>();
    for (Asked asked : refused()) {
      List<String> lines = lines(asked);
      all.add(lines.contains(missing) ? missing : lines.getLast());
    }
    return all;
  }

  private static List<String> lines(Asked asked) {
    Target target = asked.target();
    return List.of("", target.namespace()).stream()
        .map(namespace ->
            line(asked.verb(), target.group(), target.resource(), new Role(namespace, List.of())))
        .toList();
  }

  private static Role without(String leftOut, Role role) {
    List<Rule> rules = new ArrayList<>();
    for (Rule rule : role.rules()) {
      for (String resource : rule.resources()) {
        List<Verb> left =
            rule.verbs().stream()
                .filter(
                    verb -> !line(verb.toString(), rule.group(), resource, role).equals(leftOut))
                .toList();
        if (!left.isEmpty()) {
          rules.add(new Rule(rule.group(), List.of(resource), rule.names(), left));
        }
      }
    }
    return new Role(role.namespace(), rules);
  }

  /** Each thing that the roles allow, and nothing more, as text: one line a verb and resource. */
  public TreeSet<String> granted() {
    return lines(roles);
  }

  /** What roles for these rights allow, as {@link #granted} has it. */
  public static TreeSet<String> lines(Collection<Right> rights) {
    return lines(Role.allowing(rights, SECRETS));
  }

  private static TreeSet<String> lines(List<Role> roles) {
    TreeSet<String> all = new TreeSet<>();
    roles.forEach(role ->
        role.rules()
            .forEach(rule ->
                rule.resources()
                    .forEach(resource ->
                        rule.verbs()
                            .forEach(verb ->
                                all.add(line(verb.toString(), rule.group(), resource, role))))));
    return all;
  }

  /** A right as {@link #granted} has it. */
  public static String line(Right right) {
    Target target = right.target();
    return line(
        right.verb().toString(),
        target.group(),
        target.resource(),
        new Role(target.namespace(), List.of()));
  }

  private static String line(String verb, String group, String resource, Role role) {
    return verb
        + " "
        + resource
        + (group.isEmpty() ? "" : "." + group)
        + (role.namespace().isEmpty() ? "" : " in " + role.namespace());
  }

  /** Those of {@link #granted} that were made use of. */
  public TreeSet<String> used() throws IOException {
    TreeSet<String> used = new TreeSet<>();
    TreeSet<String> granted = granted();
    for (Asked asked : asked()) {
      lines(asked).stream().filter(granted::contains).findFirst().ifPresent(used::add);
    }
    return used;
  }

  @Override
  public void close() throws IOException {
    if (own) {
      server.close();
    }
  }
}
