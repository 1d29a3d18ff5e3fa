package dev.mooring.apiserver.http;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.mooring.apiserver.access.Tokens;
import dev.mooring.apiserver.access.User;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Stored;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** From a request to a verb and back. */
public final class Router implements HttpHandler {
  private static final System.Logger LOG = System.getLogger(Router.class.getName());
  private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

  /** What a path names. */
  private record Target(ResourceType type, String namespace, String name, String subresource) {}

  private final Verbs verbs;
  private final String token;
  private final Tokens tokens;
  private final AuditLog audit;

  /**
   * Over these verbs.
   *
   * @param token "" lets everybody in
   * @param tokens whoever holds one of them is let in
   * @param audit where requests are written down
   */
  public Router(Verbs verbs, String token, Tokens tokens, AuditLog audit) {
    this.verbs = verbs;
    this.token = token;
    this.tokens = tokens;
    this.audit = audit;
  }

  @Override
  public void handle(HttpExchange http) throws IOException {
    Exchange exchange = new Exchange(http);
    String verb = verb(exchange);
    try {
      if (verb.equals("watch")) {
        audit.note(exchange, verb, "ResponseStarted", 200);
      }
      route(exchange);
    } catch (Problem problem) {
      exchange.refuse(problem);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      LOG.log(
          Level.ERROR, () -> exchange.method() + " " + exchange.path() + " failed with a bug", bug);
      exchange.refuse(Problem.fault(bug.toString()));
    } finally {
      if (!verb.equals("watch")) {
        audit.note(exchange, verb, "ResponseComplete", exchange.answered());
      }
      exchange.close();
    }
  }

  /** What is asked for, as Kubernetes calls it: of a path without objects, the method. */
  private static String verb(Exchange exchange) {
    Optional<Target> target = target(exchange.path().replaceFirst("^/", "").split("/"));
    return target.isEmpty()
        ? exchange.method().toLowerCase(Locale.ROOT)
        : verb(exchange, target.get());
  }

  private static String verb(Exchange exchange, Target target) {
    boolean one = !target.name.isEmpty();
    return switch (exchange.method()) {
      case "GET" -> one ? "get" : exchange.query().flag("watch") ? "watch" : "list";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      default -> one ? "delete" : "deletecollection";
    };
  }

  private void route(Exchange exchange) throws IOException, Problem, InterruptedException {
    String path = exchange.path();
    authorize(exchange, path);
    if (path.equals("/version")) {
      exchange.json(200, version());
      return;
    }
    if (HEALTH.stream().anyMatch(h -> path.equals(h) || path.startsWith(h + "/"))) {
      health(exchange, path);
      return;
    }
    if (exchange.method().equals("GET") && Discovery.serve(exchange)) {
      return;
    }
    String[] parts = path.substring(1).split("/");
    if (parts.length == 5
        && path.startsWith("/api/v1/namespaces/")
        && parts[4].equals("bindings")
        && exchange.method().equals("POST")) {
      bindings(exchange, Query.decode(parts[3]));
      return;
    }
    if (parts.length == 4 && Reviews.GROUPS.contains(parts[1])) {
      Reviews.serve(exchange, parts[1], parts[3], token);
      return;
    }
    Target target = target(parts).orElseThrow(Problem::noSuchPath);
    serve(exchange, target);
  }

  /** The old form of a binding: the pod is named in the body. */
  private void bindings(Exchange exchange, String namespace) throws IOException, Problem {
    JsonObject binding = exchange.tree(new ArrayList<>(), "Binding");
    if (binding == null) {
      throw Problem.badRequest("the body is empty (must be of type Binding)");
    }
    verbs.bind(
        namespace,
        JsonBodies.text(binding, "metadata", "name"),
        binding,
        Bodies.options(exchange, ""));
    exchange.json(201, success(201, null, null));
  }

  private static JsonObject version() {
    JsonObject version = new JsonObject();
    for (String[] entry :
        new String[][] {
          {"major", "1"},
          {"minor", "36"},
          {"emulationMajor", "1"},
          {"emulationMinor", "36"},
          {"minCompatibilityMajor", "1"},
          {"minCompatibilityMinor", "35"},
          {"gitVersion", "v1.36.0+mooring"},
          {"gitCommit", "unknown"},
          {"gitTreeState", "clean"},
          {"buildDate", "1970-01-01T00:00:00Z"},
          {"goVersion", "none"},
          {"compiler", "javac"},
          {"platform", "jvm"}
        }) {
      version.addProperty(entry[0], entry[1]);
    }
    return version;
  }

  private static void health(Exchange exchange, String path) throws IOException {
    String[] parts = path.substring(1).split("/");
    if (parts.length > 2 || (parts.length == 2 && !parts[1].equals("ping"))) {
      exchange.text(404, "404 page not found\n");
    } else if (exchange.query().has("verbose")) {
      exchange.text(200, "[+]ping ok\n" + parts[0] + " check passed\n");
    } else {
      exchange.text(200, "ok");
    }
  }

  private void authorize(Exchange exchange, String path) throws Problem {
    if (token.isEmpty()) {
      return;
    }
    String sent = exchange.header("Authorization");
    if (sent.startsWith("Bearer ")) {
      if (tokens.find(sent.substring(7).strip()).isEmpty()) {
        throw Problem.unauthorized();
      }
      return;
    }
    if (exchange.certificate().contains("O=" + User.MASTERS)) {
      return;
    }
    if (path.equals("/version") || HEALTH.contains(path)) {
      return;
    }
    String[] parts = path.substring(1).split("/");
    String method = exchange.method();
    Optional<Target> target = target(parts);
    String user = "User \"system:anonymous\" cannot ";
    if (target.isPresent()) {
      Target t = target.get();
      String verb = verb(exchange, t);
      String where =
          t.namespace.isEmpty()
              ? "at the cluster scope"
              : "in the namespace \"" + t.namespace + "\"";
      throw Problem.forbidden(
          t.type,
          t.name,
          user
              + verb
              + " resource \""
              + t.type.plural()
              + "\" in API group \""
              + t.type.group()
              + "\" "
              + where,
          List.of());
    }
    if (parts.length == 4 && Reviews.GROUPS.contains(parts[1])) {
      ResourceType review =
          new ResourceType(
              parts[1],
              "v1",
              parts[3],
              "",
              "",
              false,
              List.of(),
              List.of(),
              "",
              Catalogue.PODS.traits(),
              Catalogue.PODS.rules());
      throw Problem.forbidden(
          review,
          "",
          user
              + "create resource \""
              + parts[3]
              + "\" in API group \""
              + parts[1]
              + "\" at the cluster scope",
          List.of());
    }
    throw Problem.forbiddenPath(
        "forbidden: " + user + method.toLowerCase() + " path \"" + path + "\"");
  }

  private static Optional<Target> target(String[] parts) {
    int at;
    String group = "";
    if (parts.length >= 3 && parts[0].equals("api")) {
      at = 2;
    } else if (parts.length >= 4 && parts[0].equals("apis")) {
      group = parts[1];
      at = 3;
    } else {
      return Optional.empty();
    }
    String version = parts[at - 1];
    String namespace = "";
    if (parts[at].equals("namespaces")
        && parts.length > at + 2
        && !List.of("status", "finalize").contains(parts[at + 2])) {
      namespace = Query.decode(parts[at + 1]);
      at += 2;
    }
    Optional<ResourceType> type = Catalogue.find(group, version, parts[at]);
    String name = parts.length > at + 1 ? Query.decode(parts[at + 1]) : "";
    String subresource = parts.length > at + 2 ? parts[at + 2] : "";
    if (type.isEmpty()
        || parts.length > at + 3
        || (!subresource.isEmpty() && !type.get().subresources().contains(subresource))) {
      return Optional.empty();
    }
    if (!type.get().namespaced() && !namespace.isEmpty()
        || type.get().namespaced() && namespace.isEmpty() && !name.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Target(type.get(), namespace, name, subresource));
  }

  private void serve(Exchange exchange, Target target)
      throws IOException, Problem, InterruptedException {
    String method = exchange.method();
    boolean one = !target.name.isEmpty();
    switch (method) {
      case "GET" -> read(exchange, target);
      case "POST" -> {
        if (one
            ? target.subresource.isEmpty()
                || !List.of("binding", "eviction").contains(target.subresource)
            : target.type.namespaced() && target.namespace.isEmpty()) {
          throw Problem.methodNotAllowed();
        }
        create(exchange, target);
      }
      case "PUT" -> {
        if (!one || List.of("binding", "eviction").contains(target.subresource)) {
          throw Problem.methodNotAllowed();
        }
        put(exchange, target);
      }
      case "PATCH" -> {
        if (!one || List.of("binding", "eviction", "finalize").contains(target.subresource)) {
          throw Problem.methodNotAllowed();
        }
        new PatchRequest(
                verbs,
                exchange,
                target.type,
                new PatchRequest.Place(target.namespace, target.name, target.subresource))
            .serve(Bodies.options(exchange, target.subresource).asPatch());
      }
      case "DELETE" -> {
        boolean all = !one && target.namespace.isEmpty();
        if (!target.subresource.isEmpty()
            || all && (target.type.namespaced() || target.type == Catalogue.NAMESPACES)) {
          throw Problem.methodNotAllowed();
        }
        delete(exchange, target);
      }
      default -> throw Problem.methodNotAllowed();
    }
  }

  private void read(Exchange exchange, Target target)
      throws IOException, Problem, InterruptedException {
    Form form = Form.of(exchange.accept());
    Query query = exchange.query();
    String include = query.text("includeObject");
    if (form.shape() == Form.Shape.TABLE
        && !List.of("", "None", "Metadata", "Object").contains(include)) {
      throw Problem.badRequest("unrecognized includeObject value: \"" + include + "\"");
    }
    if (!target.name.isEmpty() && form.shape() == Form.Shape.METADATA_LIST) {
      throw Problem.notAcceptable();
    }
    if (!target.name.isEmpty()) {
      Listings.awaitVersion(verbs.store(target.type), query.version());
      Stored object = verbs.get(target.type, target.namespace, target.name);
      exchange.answer(
          200,
          form.encoding().type(),
          Rendering.object(target.type, object, form, query.text("includeObject")));
      return;
    }
    boolean watch =
        query.has("watch")
            && !query.text("watch").equals("0")
            && !query.text("watch").equals("false");
    if (watch) {
      Watches.serve(verbs.store(target.type), target.type, target.namespace, exchange, form);
      return;
    }
    Listings.Page page =
        Listings.page(verbs.store(target.type), target.type, target.namespace, query);
    exchange.answer(
        200,
        form.encoding().type(),
        Rendering.list(
            target.type, page.objects(), page.metadata(), form, query.text("includeObject")));
  }

  private void create(Exchange exchange, Target target) throws IOException, Problem {
    WriteOptions options = Bodies.options(exchange, target.subresource);
    if (target.subresource.equals("binding")) {
      verbs.bind(target.namespace, target.name, named(exchange, target, "Binding"), options);
      exchange.json(201, success(201, null, null));
      return;
    }
    if (target.subresource.equals("eviction")) {
      JsonObject eviction = named(exchange, target, "Eviction");
      Form form = Form.of(exchange.accept());
      if (!options.dryRun()) {
        verbs.update(
            target.type,
            target.namespace,
            target.name,
            WriteOptions.STATUS,
            pod -> {
              Conditions.set(
                  pod,
                  "DisruptionTarget",
                  "True",
                  "EvictionByEvictionAPI",
                  "Eviction API: evicting");
              return pod;
            });
      }
      JsonElement grace = JsonBodies.at(eviction, "deleteOptions", "gracePeriodSeconds");
      verbs.delete(
          target.type,
          target.namespace,
          target.name,
          new WriteOptions(
              options.dryRun(),
              "",
              JsonBodies.at(eviction, "deleteOptions", "preconditions", "uid") == null
                  ? null
                  : JsonBodies.text(eviction, "deleteOptions", "preconditions", "uid"),
              null,
              grace == null ? null : grace.getAsLong(),
              false));
      JsonObject done = success(201, null, null);
      exchange.answer(
          201,
          form.encoding().type(),
          form.encoding() == Form.Encoding.PROTOBUF
              ? Rendering.status(done)
              : done.toString().getBytes(StandardCharsets.UTF_8));
      return;
    }
    Form form = Form.of(exchange.accept());
    Stored created =
        verbs.create(target.type, target.namespace, Bodies.object(exchange, target.type), options);
    exchange.answer(
        201,
        form.encoding().type(),
        Rendering.object(target.type, created, form, exchange.query().text("includeObject")));
  }

  private static JsonObject named(Exchange exchange, Target target, String kind)
      throws IOException, Problem {
    JsonObject tree = exchange.tree(new ArrayList<>(), kind);
    if (tree == null) {
      throw Problem.badRequest("the body is empty (must be of type " + kind + ")");
    }
    String name = JsonBodies.text(tree, "metadata", "name");
    if (!name.isEmpty() && !name.equals(target.name)) {
      throw Problem.badRequest("name in URL does not match name in " + kind + " object");
    }
    return tree;
  }

  private void put(Exchange exchange, Target target) throws IOException, Problem {
    WriteOptions options = Bodies.options(exchange, target.subresource);
    Form form = Form.of(exchange.accept());
    JsonObject object = Bodies.object(exchange, target.type);
    ResourceType type = target.type;
    String sentNamespace = JsonBodies.text(object, "metadata", "namespace");
    if (!sentNamespace.isEmpty() && !sentNamespace.equals(target.namespace)) {
      throw Problem.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    }
    String sentName = JsonBodies.text(object, "metadata", "name");
    if (!sentName.equals(target.name)) {
      throw Problem.badRequest(
          "the name of the object ("
              + sentName
              + ") does not match the name on the URL ("
              + target.name
              + ")");
    }
    boolean versioned = !JsonBodies.text(object, "metadata", "resourceVersion").isEmpty();
    boolean missing = verbs.store(type).get(Verbs.key(type, target.namespace, target.name)) == null;
    if (missing && type.traits().createOnUpdate() && target.subresource.isEmpty()) {
      Stored created = verbs.create(type, target.namespace, object, options);
      exchange.answer(
          201,
          form.encoding().type(),
          Rendering.object(type, created, form, exchange.query().text("includeObject")));
      return;
    }
    if (!missing && type.traits().updateNeedsVersion() && !versioned) {
      dev.mooring.apiserver.kinds.Causes causes = new dev.mooring.apiserver.kinds.Causes();
      causes.invalid("metadata.resourceVersion", 0, "must be specified for an update");
      throw Problem.invalid(type.group(), type.plural(), target.name, causes.all());
    }
    Stored updated = verbs.update(type, target.namespace, target.name, options, current -> object);
    exchange.answer(
        200,
        form.encoding().type(),
        Rendering.object(type, updated, form, exchange.query().text("includeObject")));
  }

  private void delete(Exchange exchange, Target target)
      throws IOException, Problem, InterruptedException {
    Form form = Form.of(exchange.accept());
    WriteOptions options = Bodies.deleteOptions(exchange);
    ResourceType type = target.type;
    if (target.name.isEmpty()) {
      Listings.Page page =
          Listings.page(verbs.store(type), type, target.namespace, exchange.query());
      List<Stored> deleted = new ArrayList<>();
      for (Stored object : page.objects()) {
        String namespace = JsonBodies.text(object.tree(), "metadata", "namespace");
        try {
          verbs.delete(
              type, namespace, JsonBodies.text(object.tree(), "metadata", "name"), options);
          deleted.add(object);
        } catch (Problem gone) {
          if (gone.code() != 404) {
            throw gone;
          }
        }
      }
      exchange.answer(
          200,
          form.encoding().type(),
          Rendering.list(
              type, deleted, page.metadata(), form, exchange.query().text("includeObject")));
      return;
    }
    Stored last = verbs.delete(type, target.namespace, target.name, options);
    boolean held = !JsonBodies.text(last.tree(), "metadata", "deletionTimestamp").isEmpty();
    if (type.traits().deleteReturnsObject() || held) {
      exchange.answer(
          200,
          form.encoding().type(),
          Rendering.object(type, last, form, exchange.query().text("includeObject")));
      return;
    }
    JsonObject done = success(0, type, last);
    exchange.answer(
        200,
        form.encoding().type(),
        form.encoding() == Form.Encoding.PROTOBUF
            ? Rendering.status(done)
            : done.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static JsonObject success(
      int code, @Nullable ResourceType type, @Nullable Stored object) {
    JsonObject status = new JsonObject();
    status.addProperty("kind", "Status");
    status.addProperty("apiVersion", "v1");
    status.add("metadata", new JsonObject());
    status.addProperty("status", "Success");
    if (code > 0) {
      status.addProperty("code", code);
    }
    if (type != null && object != null) {
      JsonObject details = new JsonObject();
      details.addProperty("name", JsonBodies.text(object.tree(), "metadata", "name"));
      if (!type.group().isEmpty()) {
        details.addProperty("group", type.group());
      }
      details.addProperty("kind", type.plural());
      details.addProperty("uid", JsonBodies.text(object.tree(), "metadata", "uid"));
      status.add("details", details);
    }
    return status;
  }
}
