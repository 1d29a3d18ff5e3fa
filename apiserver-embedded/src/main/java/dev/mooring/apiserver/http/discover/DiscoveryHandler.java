package dev.mooring.apiserver.http.discover;

import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.authorize.ReviewHandler;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ApiVersions;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

public final class DiscoveryHandler {
  private static final List<String> CUSTOM_VERBS =
      List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

  private static final List<String> GROUP_ORDER =
      List.of(
          """
          apiregistration.k8s.io apps events.k8s.io authentication.k8s.io authorization.k8s.io
          autoscaling batch certificates.k8s.io networking.k8s.io policy
          rbac.authorization.k8s.io storage.k8s.io admissionregistration.k8s.io
          apiextensions.k8s.io scheduling.k8s.io coordination.k8s.io node.k8s.io
          discovery.k8s.io resource.k8s.io flowcontrol.apiserver.k8s.io
          """
              .split("\\s+"));
  private static final String[] ALL_VERBS = {
    "create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"
  };

  private final List<ResourceType> types = new ArrayList<>();
  private final OpenApiHandler openApi;

  public DiscoveryHandler(List<ResourceType> customTypes) {
    openApi = new OpenApiHandler(customTypes);
    types.addAll(KindCatalogue.ALL);
    types.addAll(customTypes);
  }

  record SubresourceKind(
      String name, String group, String version, String kind, List<String> verbs) {}

  static List<SubresourceKind> findSubresources(ResourceType type) {
    return type.subresources().stream()
        .map(s ->
            switch (s) {
              case "binding" -> new SubresourceKind(s, "", "", "Binding", List.of("create"));
              case "eviction" ->
                  new SubresourceKind(s, "policy", "v1", "Eviction", List.of("create"));
              case "attach", "exec", "portforward", "proxy" -> describeContainerAccess(type, s);
              case "log" -> new SubresourceKind(s, "", "", type.kind(), List.of("get"));
              case "finalize" -> new SubresourceKind(s, "", "", type.kind(), List.of("update"));
              case "token" ->
                  new SubresourceKind(
                      s, "authentication.k8s.io", "v1", "TokenRequest", List.of("create"));
              case "scale" ->
                  new SubresourceKind(
                      s, "autoscaling", "v1", "Scale", List.of("get", "patch", "update"));
              default ->
                  new SubresourceKind(s, "", "", type.kind(), List.of("get", "patch", "update"));
            })
        .toList();
  }

  // Refused, but listed: clients learn the reason from the answer.
  private static SubresourceKind describeContainerAccess(ResourceType type, String subresource) {
    String action =
        switch (subresource) {
          case "attach" -> "Attach";
          case "exec" -> "Exec";
          case "portforward" -> "PortForward";
          default -> "Proxy";
        };
    List<String> verbs =
        subresource.equals("proxy")
            ? List.of("create", "delete", "get", "patch", "update")
            : List.of("create", "get");
    return new SubresourceKind(subresource, "", "", type.kind() + action + "Options", verbs);
  }

  static List<String> findVerbs(ResourceType type) {
    if (type.traits().isReadOnly()) {
      return List.of("get", "list");
    }
    List<String> verbs = new ArrayList<>(List.of(ALL_VERBS));
    if (type == KindCatalogue.NAMESPACES) {
      verbs.remove("deletecollection");
    }
    return verbs;
  }

  /**
   * Sends the document at the path; returns false if there is none.
   *
   * @throws StatusException if the client accepts no form of it
   */
  public boolean serve(RequestExchange exchange) throws IOException, StatusException {
    String path = exchange.path();
    String[] segments = path.substring(1).split("/");
    boolean acceptsAggregated = exchange.getAccept().contains("as=APIGroupDiscoveryList");
    if (path.equals("/api") || path.equals("/apis")) {
      List<String> groups = path.equals("/api") ? List.of("") : findGroupNames();
      if (acceptsAggregated
          && new AggregatedDiscovery(types, this::findVersions).serve(exchange, groups)) {
        return true;
      }
      exchange.sendJson(200, path.equals("/api") ? describeVersions() : listGroups());
      return true;
    }
    if (segments[0].startsWith("api")) {
      AnswerForm.negotiate(exchange.getAccept()); // throws 406 for unsupported media types
    }
    if (segments[0].equals("api") && segments.length == 2 && segments[1].equals("v1")) {
      exchange.sendJson(200, listResources("", "v1"));
      return true;
    }
    if (segments[0].equals("apis") && segments.length == 2 && hasGroup(segments[1])) {
      exchange.sendJson(200, describeGroup(segments[1], true));
      return true;
    }
    if (segments[0].equals("apis")
        && segments.length == 3
        && hasGroup(segments[1])
        && findVersions(segments[1]).contains(segments[2])) {
      exchange.sendJson(200, listResources(segments[1], segments[2]));
      return true;
    }
    if (segments[0].equals("openapi")) {
      openApi.serve(exchange);
      return true;
    }
    return false;
  }

  private boolean hasGroup(String group) {
    return findGroupNames().contains(group);
  }

  private List<String> findGroupNames() {
    Set<String> names = new LinkedHashSet<>(GROUP_ORDER);
    Set<String> servedGroups = new LinkedHashSet<>(ReviewHandler.GROUPS);
    types.forEach(t -> servedGroups.add(t.group()));
    servedGroups.remove("");
    names.retainAll(servedGroups);
    names.addAll(servedGroups);
    return List.copyOf(names);
  }

  private List<String> findVersions(String group) {
    if (group.isEmpty()) {
      return List.of("v1");
    }
    List<String> versions =
        new ArrayList<>(
            types.stream()
                .filter(t -> t.group().equals(group))
                .map(ResourceType::version)
                .distinct()
                .toList());
    if (versions.isEmpty()) {
      versions.add("v1");
    }
    versions.sort((a, b) -> ApiVersions.compare(b, a));
    return versions;
  }

  static JsonArray toArray(Iterable<String> values) {
    JsonArray list = new JsonArray();
    values.forEach(list::add);
    return list;
  }

  private static JsonObject describeVersions() {
    JsonObject body = newObject("kind", "APIVersions", "apiVersion", "v1");
    body.remove("apiVersion");
    body.add("versions", toArray(List.of("v1")));
    JsonObject cidr = newObject("clientCIDR", "0.0.0.0/0", "serverAddress", "127.0.0.1");
    body.add("serverAddressByClientCIDRs", newArray(cidr));
    return body;
  }

  private JsonObject listGroups() {
    JsonObject body = newObject("kind", "APIGroupList", "apiVersion", "v1");
    JsonArray list = new JsonArray();
    findGroupNames().forEach(g -> list.add(describeGroup(g, false)));
    body.add("groups", list);
    return body;
  }

  private JsonObject describeGroup(String name, boolean isDocument) {
    JsonObject group = new JsonObject();
    if (isDocument) {
      group.addProperty("kind", "APIGroup");
      group.addProperty("apiVersion", "v1");
    }
    group.addProperty("name", name);
    JsonArray versions = new JsonArray();
    for (String version : findVersions(name)) {
      versions.add(newObject("groupVersion", name + "/" + version, "version", version));
    }
    group.add("versions", versions);
    group.add("preferredVersion", versions.get(0).deepCopy());
    return group;
  }

  private JsonObject listResources(String group, String version) {
    JsonObject body = newObject("kind", "APIResourceList");
    if (!group.isEmpty()) {
      body.addProperty("apiVersion", "v1");
    }
    body.addProperty("groupVersion", group.isEmpty() ? version : group + "/" + version);
    JsonArray list = new JsonArray();
    if (group.isEmpty()) {
      list.add(describeUnstored("bindings", "Binding", true));
    }
    for (ResourceType type : types) {
      if (type.group().equals(group) && type.version().equals(version)) {
        list.add(describeResource(type));
        findListedSubresources(type).forEach(sub -> list.add(describeSubresource(type, sub)));
      }
    }
    ReviewHandler.getKinds(group)
        .forEach((plural, kind) ->
            list.add(describeUnstored(plural, kind, ReviewHandler.isNamespaced(plural))));
    body.add("resources", hasCustomGroup(group) ? list : sortByName(list));
    return body;
  }

  private static JsonObject describeResource(ResourceType type) {
    JsonObject entry = newObject("name", type.plural(), "singularName", type.singular());
    entry.addProperty("namespaced", type.namespaced());
    entry.addProperty("kind", type.kind());
    entry.add("verbs", toArray(type.isCustom() ? CUSTOM_VERBS : findVerbs(type)));
    if (!type.shortNames().isEmpty()) {
      entry.add("shortNames", toArray(type.shortNames()));
    }
    if (!type.extras().categories().isEmpty()) {
      entry.add("categories", toArray(type.extras().categories()));
    }
    entry.addProperty("storageVersionHash", type.hashStorageVersion());
    return entry;
  }

  private static JsonObject describeSubresource(ResourceType type, SubresourceKind subresource) {
    JsonObject entry =
        newObject("name", type.plural() + "/" + subresource.name(), "singularName", "");
    entry.addProperty("namespaced", type.namespaced());
    if (!subresource.group().isEmpty()) {
      entry.addProperty("group", subresource.group());
      entry.addProperty("version", subresource.version());
    }
    entry.addProperty("kind", subresource.kind());
    entry.add("verbs", toArray(subresource.verbs()));
    return entry;
  }

  private static JsonObject describeUnstored(String plural, String kind, boolean isNamespaced) {
    JsonObject entry = newObject("name", plural, "singularName", kind.toLowerCase(Locale.ROOT));
    entry.addProperty("namespaced", isNamespaced);
    entry.addProperty("kind", kind);
    entry.add("verbs", toArray(List.of("create")));
    return entry;
  }

  // Groups of custom resources list their resources in the order of definition.
  private boolean hasCustomGroup(String group) {
    return types.stream().anyMatch(t -> t.group().equals(group) && t.isCustom());
  }

  private static JsonArray sortByName(JsonArray list) {
    List<JsonElement> sorted = new ArrayList<>(list.asList());
    sorted.sort(Comparator.comparing(r -> r.getAsJsonObject().get("name").getAsString()));
    JsonArray resources = new JsonArray();
    sorted.forEach(resources::add);
    return resources;
  }

  private static List<SubresourceKind> findListedSubresources(ResourceType type) {
    List<SubresourceKind> subresources = new ArrayList<>(findSubresources(type));
    if (type.isCustom()) {
      subresources.sort(Comparator.comparing((SubresourceKind s) -> !s.name().equals("status")));
    }
    return subresources;
  }
}
