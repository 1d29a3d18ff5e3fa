package dev.mooring.apiserver.http.discover;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.authorize.Reviews;
import dev.mooring.apiserver.http.render.Form;
import dev.mooring.apiserver.http.request.Exchange;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.kinds.Versions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What the server has, in the forms that clients ask for it. */
public final class Discovery {
  /** In the order in which definitions' resources list them. */
  private static final List<String> CUSTOM_VERBS =
      List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

  private static final List<String> ORDER =
      List.of(
          "apps",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
          "networking.k8s.io",
          "policy",
          "rbac.authorization.k8s.io",
          "storage.k8s.io",
          "apiextensions.k8s.io",
          "scheduling.k8s.io",
          "coordination.k8s.io",
          "discovery.k8s.io");
  private static final String[] ALL_VERBS = {
    "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"
  };

  private final List<ResourceType> all = new ArrayList<>();
  private final OpenApi openApi;

  /** Of the API's own resources and of these. */
  public Discovery(List<ResourceType> customs) {
    openApi = new OpenApi(customs);
    all.addAll(KindCatalogue.ALL);
    all.addAll(customs);
  }

  record Sub(String name, String group, String version, String kind, List<String> verbs) {}

  static List<Sub> subresources(ResourceType type) {
    return type.subresources().stream()
        .map(s ->
            switch (s) {
              case "binding" -> new Sub(s, "", "", "Binding", List.of("create"));
              case "eviction" -> new Sub(s, "policy", "v1", "Eviction", List.of("create"));
              case "finalize" -> new Sub(s, "", "", type.kind(), List.of("update"));
              case "token" ->
                  new Sub(s, "authentication.k8s.io", "v1", "TokenRequest", List.of("create"));
              case "scale" ->
                  new Sub(s, "autoscaling", "v1", "Scale", List.of("get", "patch", "update"));
              default -> new Sub(s, "", "", type.kind(), List.of("get", "patch", "update"));
            })
        .toList();
  }

  static List<String> verbs(ResourceType type) {
    List<String> verbs = new ArrayList<>(List.of(ALL_VERBS));
    if (type == KindCatalogue.NAMESPACES) {
      verbs.remove("deletecollection");
    }
    return verbs;
  }

  /**
   * Answers with what is at the path.
   *
   * @return whether there is something
   * @throws IOException if the client is gone
   * @throws Problem if the client accepts no form of it
   */
  public boolean serve(Exchange exchange) throws IOException, Problem {
    String path = exchange.path();
    String[] parts = path.substring(1).split("/");
    boolean aggregated = exchange.accept().contains("as=APIGroupDiscoveryList");
    if (path.equals("/api") || path.equals("/apis")) {
      List<String> groups = path.equals("/api") ? List.of("") : names();
      if (aggregated && new AggregatedDiscovery(all, this::versions).serve(exchange, groups)) {
        return true;
      }
      exchange.json(200, path.equals("/api") ? versions() : groups());
      return true;
    }
    if (parts[0].startsWith("api")) {
      Form.of(exchange.accept()); // 406 for what nobody here speaks
    }
    if (parts[0].equals("api") && parts.length == 2 && parts[1].equals("v1")) {
      exchange.json(200, resources("", "v1"));
      return true;
    }
    if (parts[0].equals("apis") && parts.length == 2 && knows(parts[1])) {
      exchange.json(200, group(parts[1], true));
      return true;
    }
    if (parts[0].equals("apis")
        && parts.length == 3
        && knows(parts[1])
        && versions(parts[1]).contains(parts[2])) {
      exchange.json(200, resources(parts[1], parts[2]));
      return true;
    }
    if (parts[0].equals("openapi")) {
      openApi.serve(exchange);
      return true;
    }
    return false;
  }

  private boolean knows(String group) {
    return names().contains(group);
  }

  /** The groups other than core: as Kubernetes installs them, then those of definitions. */
  private List<String> names() {
    Set<String> names = new LinkedHashSet<>(ORDER);
    Set<String> there = new LinkedHashSet<>(Reviews.GROUPS);
    all.forEach(t -> there.add(t.group()));
    there.remove("");
    names.retainAll(there);
    names.addAll(there);
    return List.copyOf(names);
  }

  private List<String> versions(String group) {
    if (group.isEmpty()) {
      return List.of("v1");
    }
    List<String> versions =
        new ArrayList<>(
            all.stream()
                .filter(t -> t.group().equals(group))
                .map(ResourceType::version)
                .distinct()
                .toList());
    if (versions.isEmpty()) {
      versions.add("v1");
    }
    versions.sort((a, b) -> Versions.compare(b, a));
    return versions;
  }

  static JsonArray strings(Iterable<String> values) {
    JsonArray list = new JsonArray();
    values.forEach(list::add);
    return list;
  }

  private static JsonObject versions() {
    JsonObject body = new JsonObject();
    body.addProperty("kind", "APIVersions");
    body.addProperty("apiVersion", "v1");
    body.remove("apiVersion");
    body.add("versions", strings(List.of("v1")));
    JsonObject cidr = new JsonObject();
    cidr.addProperty("clientCIDR", "0.0.0.0/0");
    cidr.addProperty("serverAddress", "127.0.0.1");
    JsonArray cidrs = new JsonArray();
    cidrs.add(cidr);
    body.add("serverAddressByClientCIDRs", cidrs);
    return body;
  }

  private JsonObject groups() {
    JsonObject body = new JsonObject();
    body.addProperty("kind", "APIGroupList");
    body.addProperty("apiVersion", "v1");
    JsonArray list = new JsonArray();
    names().forEach(g -> list.add(group(g, false)));
    body.add("groups", list);
    return body;
  }

  private JsonObject group(String name, boolean alone) {
    JsonObject group = new JsonObject();
    if (alone) {
      group.addProperty("kind", "APIGroup");
      group.addProperty("apiVersion", "v1");
    }
    group.addProperty("name", name);
    JsonArray versions = new JsonArray();
    for (String one : versions(name)) {
      JsonObject version = new JsonObject();
      version.addProperty("groupVersion", name + "/" + one);
      version.addProperty("version", one);
      versions.add(version);
    }
    group.add("versions", versions);
    group.add("preferredVersion", versions.get(0).deepCopy());
    return group;
  }

  private JsonObject resources(String group, String version) {
    JsonObject body = new JsonObject();
    body.addProperty("kind", "APIResourceList");
    if (!group.isEmpty()) {
      body.addProperty("apiVersion", "v1");
    }
    body.addProperty("groupVersion", group.isEmpty() ? version : group + "/" + version);
    JsonArray list = new JsonArray();
    if (group.isEmpty()) {
      list.add(created("bindings", "Binding", true));
    }
    for (ResourceType type : all) {
      if (type.group().equals(group) && type.version().equals(version)) {
        list.add(entry(type));
        listed(type).forEach(sub -> list.add(below(type, sub)));
      }
    }
    Reviews.resources(group)
        .forEach((plural, kind) -> list.add(created(plural, kind, Reviews.isNamespaced(plural))));
    body.add("resources", custom(group) ? list : sorted(list));
    return body;
  }

  private static JsonObject entry(ResourceType type) {
    JsonObject entry = new JsonObject();
    entry.addProperty("name", type.plural());
    entry.addProperty("singularName", type.singular());
    entry.addProperty("namespaced", type.namespaced());
    entry.addProperty("kind", type.kind());
    entry.add("verbs", strings(type.isCustom() ? CUSTOM_VERBS : verbs(type)));
    if (!type.shortNames().isEmpty()) {
      entry.add("shortNames", strings(type.shortNames()));
    }
    if (!type.extras().categories().isEmpty()) {
      entry.add("categories", strings(type.extras().categories()));
    }
    entry.addProperty("storageVersionHash", type.storageVersionHash());
    return entry;
  }

  private static JsonObject below(ResourceType type, Sub sub) {
    JsonObject below = new JsonObject();
    below.addProperty("name", type.plural() + "/" + sub.name());
    below.addProperty("singularName", "");
    below.addProperty("namespaced", type.namespaced());
    if (!sub.group().isEmpty()) {
      below.addProperty("group", sub.group());
      below.addProperty("version", sub.version());
    }
    below.addProperty("kind", sub.kind());
    below.add("verbs", strings(sub.verbs()));
    return below;
  }

  /** What can be created, and is kept nowhere. */
  private static JsonObject created(String plural, String kind, boolean namespaced) {
    JsonObject entry = new JsonObject();
    entry.addProperty("name", plural);
    entry.addProperty("singularName", kind.toLowerCase(Locale.ROOT));
    entry.addProperty("namespaced", namespaced);
    entry.addProperty("kind", kind);
    entry.add("verbs", strings(List.of("create")));
    return entry;
  }

  /** Groups of definitions list their resources as they come. */
  private boolean custom(String group) {
    return all.stream().anyMatch(t -> t.group().equals(group) && t.isCustom());
  }

  private static JsonArray sorted(JsonArray list) {
    List<JsonElement> sorted = new ArrayList<>(list.asList());
    sorted.sort(Comparator.comparing(r -> r.getAsJsonObject().get("name").getAsString()));
    JsonArray resources = new JsonArray();
    sorted.forEach(resources::add);
    return resources;
  }

  private static List<Sub> listed(ResourceType type) {
    List<Sub> subs = new ArrayList<>(subresources(type));
    if (type.isCustom()) {
      subs.sort(Comparator.comparing((Sub s) -> !s.name().equals("status")));
    }
    return subs;
  }
}
