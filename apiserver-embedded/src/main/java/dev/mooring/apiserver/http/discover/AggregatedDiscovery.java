package dev.mooring.apiserver.http.discover;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.authorize.ReviewHandler;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

final class AggregatedDiscovery {
  private final List<ResourceType> types;
  private final Function<String, List<String>> versions;

  AggregatedDiscovery(List<ResourceType> types, Function<String, List<String>> versions) {
    this.types = types;
    this.versions = versions;
  }

  /**
   * Sends the aggregated discovery document. Returns false if the client accepts none of its
   * versions but accepts plain JSON.
   */
  boolean serve(RequestExchange exchange, List<String> groups) throws IOException, StatusException {
    Optional<String> accepted = findVersion(exchange.getAccept());
    if (accepted.isEmpty()) {
      return false;
    }
    String version = accepted.get();
    JsonObject body = newObject("kind", "APIGroupDiscoveryList");
    body.addProperty("apiVersion", "apidiscovery.k8s.io/" + version);
    body.add("metadata", new JsonObject());
    JsonArray items = new JsonArray();
    groups.forEach(g -> items.add(describeGroup(g)));
    body.add("items", items);
    CacheableDocument document = CacheableDocument.of(body);
    exchange.setHeader("Etag", document.getTag());
    exchange.setHeader("Vary", "Accept");
    exchange.setHeader("Cache-Control", "public");
    if (exchange.getHeader("If-None-Match").equals(document.getTag())) {
      exchange.sendNotModified();
      return true;
    }
    exchange.sendAnswer(
        200,
        "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList",
        document.json());
    return true;
  }

  private static Optional<String> findVersion(String accept) throws StatusException {
    boolean acceptsPlainJson = false;
    for (String range : accept.split(",")) {
      if (range.contains("as=APIGroupDiscoveryList")) {
        if (range.contains("v=v2beta1")) {
          return Optional.of("v2beta1");
        }
        if (range.contains("v=v2;") || range.endsWith("v=v2")) {
          return Optional.of("v2");
        }
      } else if (range.contains("application/json") || range.contains("*/*")) {
        acceptsPlainJson = true;
      }
    }
    if (!acceptsPlainJson) {
      throw StatusException.notAcceptable(AnswerForm.UNSUPPORTED_MESSAGE);
    }
    return Optional.empty();
  }

  private JsonObject describeGroup(String group) {
    JsonObject item = new JsonObject();
    JsonObject metadata = new JsonObject();
    if (!group.isEmpty()) {
      metadata.addProperty("name", group);
    }
    item.add("metadata", metadata);
    JsonArray list = new JsonArray();
    for (String name : versions.apply(group)) {
      JsonObject version = newObject("version", name, "resources", describeVersion(group, name));
      version.addProperty("freshness", "Current");
      list.add(version);
    }
    item.add("versions", list);
    return item;
  }

  private JsonArray describeVersion(String group, String version) {
    Map<String, JsonObject> sorted = new TreeMap<>();
    for (ResourceType type : types) {
      if (type.group().equals(group) && type.version().equals(version)) {
        sorted.put(type.plural(), describeResource(type));
      }
    }
    if (group.isEmpty()) {
      sorted.put("bindings", describeUnstored("bindings", "Binding", "binding", true));
    }
    ReviewHandler.getKinds(group)
        .forEach((plural, kind) ->
            sorted.put(
                plural,
                describeUnstored(
                    plural,
                    kind,
                    kind.toLowerCase(Locale.ROOT),
                    ReviewHandler.isNamespaced(plural))));
    JsonArray resources = new JsonArray();
    sorted.values().forEach(resources::add);
    return resources;
  }

  private static JsonObject describeUnstored(
      String plural, String kind, String singular, boolean isNamespaced) {
    JsonObject entry = newObject("resource", plural, "responseKind", makeKind("", "", kind));
    entry.addProperty("scope", isNamespaced ? "Namespaced" : "Cluster");
    entry.addProperty("singularResource", singular);
    entry.add("verbs", DiscoveryHandler.toArray(List.of("create")));
    return entry;
  }

  private static JsonObject makeKind(String group, String version, String name) {
    return newObject("group", group, "version", version, "kind", name);
  }

  private static JsonObject describeResource(ResourceType type) {
    JsonObject entry = newObject("resource", type.plural());
    entry.add("responseKind", makeKind("", "", type.kind()));
    entry.addProperty("scope", type.namespaced() ? "Namespaced" : "Cluster");
    entry.addProperty("singularResource", type.singular());
    entry.add("verbs", DiscoveryHandler.toArray(DiscoveryHandler.findVerbs(type)));
    if (!type.shortNames().isEmpty()) {
      entry.add("shortNames", DiscoveryHandler.toArray(type.shortNames()));
    }
    if (!type.extras().categories().isEmpty()) {
      entry.add("categories", DiscoveryHandler.toArray(type.extras().categories()));
    }
    if (!type.subresources().isEmpty()) {
      JsonArray subresources = new JsonArray();
      for (DiscoveryHandler.SubresourceKind subresource : DiscoveryHandler.findSubresources(type)) {
        JsonObject subresourceEntry = newObject("subresource", subresource.name());
        subresourceEntry.add(
            "responseKind",
            makeKind(subresource.group(), subresource.version(), subresource.kind()));
        subresourceEntry.add("verbs", DiscoveryHandler.toArray(subresource.verbs()));
        subresources.add(subresourceEntry);
      }
      entry.add("subresources", subresources);
    }
    return entry;
  }
}
