package dev.mooring.apiserver.http;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.kinds.Versions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the server has, in the forms that clients ask for it. */
final class Discovery {
  /** In the order in which definitions' resources list them. */
  private static final List<String> CUSTOM_VERBS =
      List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

  private static final List<String> ORDER =
      List.of(
          "apps",
          "events.k8s.io",
          "authentication.k8s.io",
          "authorization.k8s.io",
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

  /** Of the API's own resources and of these. */
  Discovery(Customs customs) {
    all.addAll(KindCatalogue.ALL);
    all.addAll(customs.all());
  }

  private record Sub(String name, String group, String version, String kind, List<String> verbs) {}

  private static List<Sub> subresources(ResourceType type) {
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

  private static List<String> verbs(ResourceType type) {
    List<String> verbs = new ArrayList<>(List.of(ALL_VERBS));
    if (type == KindCatalogue.NAMESPACES) {
      verbs.remove("deletecollection");
    }
    return verbs;
  }

  boolean serve(Exchange exchange) throws IOException, Problem {
    String path = exchange.path();
    String[] parts = path.substring(1).split("/");
    boolean aggregated = exchange.accept().contains("as=APIGroupDiscoveryList");
    if (path.equals("/api") || path.equals("/apis")) {
      if (aggregated && aggregated(exchange, path.equals("/api"))) {
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
      OpenApi.serve(exchange);
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

  private static JsonArray strings(Iterable<String> values) {
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
      JsonObject bindings = new JsonObject();
      bindings.addProperty("name", "bindings");
      bindings.addProperty("singularName", "binding");
      bindings.addProperty("namespaced", true);
      bindings.addProperty("kind", "Binding");
      bindings.add("verbs", strings(List.of("create")));
      list.add(bindings);
    }
    for (ResourceType type : all) {
      if (!type.group().equals(group) || !type.version().equals(version)) {
        continue;
      }
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
      list.add(entry);
      for (Sub sub : listed(type)) {
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
        list.add(below);
      }
    }
    Reviews.resources(group)
        .forEach((plural, kind) -> {
          JsonObject entry = new JsonObject();
          entry.addProperty("name", plural);
          entry.addProperty("singularName", kind.toLowerCase());
          entry.addProperty("namespaced", Reviews.isNamespaced(plural));
          entry.addProperty("kind", kind);
          entry.add("verbs", strings(List.of("create")));
          list.add(entry);
        });
    body.add("resources", custom(group) ? list : sorted(list));
    return body;
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

  /**
   * The aggregated form; false if only versions of it are accepted that the server does not have.
   */
  private boolean aggregated(Exchange exchange, boolean core) throws IOException, Problem {
    boolean known = false;
    boolean plain = false;
    String version = "v2";
    for (String range : exchange.accept().split(",")) {
      if (range.contains("as=APIGroupDiscoveryList")) {
        if (!known
            && (range.contains("v=v2;") || range.endsWith("v=v2") || range.contains("v=v2beta1"))) {
          known = true;
          version = range.contains("v2beta1") ? "v2beta1" : "v2";
        }
      } else if (range.contains("application/json") || range.contains("*/*")) {
        plain = true;
      }
    }
    if (!known) {
      if (plain) {
        return false;
      }
      throw Problem.notAcceptable();
    }
    JsonObject body = new JsonObject();
    body.addProperty("kind", "APIGroupDiscoveryList");
    body.addProperty("apiVersion", "apidiscovery.k8s.io/" + version);
    body.add("metadata", new JsonObject());
    JsonArray items = new JsonArray();
    if (core) {
      items.add(discovered(""));
    } else {
      names().forEach(g -> items.add(discovered(g)));
    }
    body.add("items", items);
    String etag = "\"" + Integer.toHexString(body.toString().hashCode()).toUpperCase() + "\"";
    exchange.header("Etag", etag);
    exchange.header("Vary", "Accept");
    if (exchange.header("If-None-Match").equals(etag)) {
      exchange.answer(304, "application/json", new byte[0]);
      return true;
    }
    exchange.answer(
        200,
        "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList",
        body.toString().getBytes(StandardCharsets.UTF_8));
    return true;
  }

  private JsonObject discovered(String group) {
    JsonObject item = new JsonObject();
    JsonObject metadata = new JsonObject();
    if (!group.isEmpty()) {
      metadata.addProperty("name", group);
    }
    item.add("metadata", metadata);
    JsonArray versions = new JsonArray();
    for (String one : group.isEmpty() ? List.of("v1") : versions(group)) {
      JsonObject version = new JsonObject();
      version.addProperty("version", one);
      version.add("resources", discovered(group, one));
      version.addProperty("freshness", "Current");
      versions.add(version);
    }
    item.add("versions", versions);
    return item;
  }

  private JsonArray discovered(String group, String version) {
    Map<String, JsonObject> sorted = new TreeMap<>();
    for (ResourceType type : all) {
      if (type.group().equals(group) && type.version().equals(version)) {
        sorted.put(type.plural(), discovered(type));
      }
    }
    if (group.isEmpty()) {
      sorted.put("bindings", plain("bindings", "Binding", "binding", true));
    }
    Reviews.resources(group)
        .forEach((plural, kind) ->
            sorted.put(
                plural, plain(plural, kind, kind.toLowerCase(), Reviews.isNamespaced(plural))));
    JsonArray resources = new JsonArray();
    sorted.values().forEach(resources::add);
    return resources;
  }

  private static JsonObject plain(String plural, String kind, String singular, boolean namespaced) {
    JsonObject entry = new JsonObject();
    entry.addProperty("resource", plural);
    entry.add("responseKind", kind("", "", kind));
    entry.addProperty("scope", namespaced ? "Namespaced" : "Cluster");
    entry.addProperty("singularResource", singular);
    entry.add("verbs", strings(List.of("create")));
    return entry;
  }

  private static JsonObject kind(String group, String version, String name) {
    JsonObject kind = new JsonObject();
    kind.addProperty("group", group);
    kind.addProperty("version", version);
    kind.addProperty("kind", name);
    return kind;
  }

  private static JsonObject discovered(ResourceType type) {
    JsonObject entry = new JsonObject();
    entry.addProperty("resource", type.plural());
    entry.add("responseKind", kind("", "", type.kind()));
    entry.addProperty("scope", type.namespaced() ? "Namespaced" : "Cluster");
    entry.addProperty("singularResource", type.singular());
    entry.add("verbs", strings(verbs(type)));
    if (!type.shortNames().isEmpty()) {
      entry.add("shortNames", strings(type.shortNames()));
    }
    if (!type.subresources().isEmpty()) {
      JsonArray subs = new JsonArray();
      for (Sub sub : subresources(type)) {
        JsonObject below = new JsonObject();
        below.addProperty("subresource", sub.name());
        below.add("responseKind", kind(sub.group(), sub.version(), sub.kind()));
        below.add("verbs", strings(sub.verbs()));
        subs.add(below);
      }
      entry.add("subresources", subs);
    }
    return entry;
  }
}
