package dev.mooring.apiserver.http.discover;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.OpenApiProtobuf.OpenApiVersion;
import dev.mooring.apiserver.http.authorize.ReviewHandler;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;

final class OpenApiPaths {
  private static final List<String> OF_WRITES =
      List.of("dryRun", "fieldManager", "fieldValidation");

  private OpenApiPaths() {}

  static JsonObject makeVersion2(List<ResourceType> types) {
    JsonObject body = new JsonObject();
    body.addProperty("swagger", "2.0");
    body.add("info", makeInfo());
    body.add("paths", makePaths(types, OpenApiVersion.V2));
    body.add("definitions", makeModels(types, OpenApiVersion.V2));
    return body;
  }

  static JsonObject makeVersion3(String groupVersion, List<ResourceType> types) {
    JsonObject paths = makePaths(types, OpenApiVersion.V3);
    paths.add("/" + groupVersion + "/", makeDiscovery());
    return makeVersion3(paths, makeModels(types, OpenApiVersion.V3));
  }

  static JsonObject makeReviews(String group) {
    JsonObject paths = new JsonObject();
    OpenApiModels models = new OpenApiModels(OpenApiVersion.V3);
    String base = "/apis/" + group + "/v1/";
    paths.add(base, makeDiscovery());
    ReviewHandler.resources(group)
        .forEach((plural, kind) -> {
          models.add(group, kind);
          JsonObject post =
              makeOperation(
                  OpenApiModels.makeKind(group, "v1", kind), "post", OF_WRITES, OpenApiVersion.V3);
          JsonObject item = new JsonObject();
          item.add("post", post);
          String where = ReviewHandler.isNamespaced(plural) ? "namespaces/{namespace}/" : "";
          paths.add(base + where + plural, item);
        });
    return makeVersion3(paths, models.getModels());
  }

  static JsonObject makePage(String path) {
    JsonObject paths = new JsonObject();
    paths.add(path, makeDiscovery());
    return makeVersion3(paths, new JsonObject());
  }

  private static JsonObject makeVersion3(JsonObject paths, JsonObject models) {
    JsonObject body = new JsonObject();
    body.addProperty("openapi", "3.0.0");
    body.add("info", makeInfo());
    body.add("paths", paths);
    JsonObject components = new JsonObject();
    components.add("schemas", models);
    body.add("components", components);
    return body;
  }

  private static JsonObject makeInfo() {
    JsonObject info = new JsonObject();
    info.addProperty("title", "Kubernetes");
    info.addProperty("version", "v1.36.0");
    return info;
  }

  private static JsonObject makeModels(List<ResourceType> types, OpenApiVersion version) {
    OpenApiModels models = new OpenApiModels(version);
    types.forEach(models::add);
    return models.getModels();
  }

  private static JsonObject makeDiscovery() {
    JsonObject get = new JsonObject();
    get.add("responses", makeResponses());
    JsonObject item = new JsonObject();
    item.add("get", get);
    return item;
  }

  private static JsonObject makeResponses() {
    JsonObject responses = new JsonObject();
    JsonObject ok = new JsonObject();
    ok.addProperty("description", "OK");
    responses.add("200", ok);
    JsonObject unknown = new JsonObject();
    unknown.addProperty("description", "Unauthorized");
    responses.add("401", unknown);
    return responses;
  }

  private static JsonObject makePaths(List<ResourceType> types, OpenApiVersion version) {
    JsonObject paths = new JsonObject();
    for (ResourceType type : types) {
      String all =
          (type.group().isEmpty() ? "/api/" : "/apis/")
              + type.apiVersion()
              + (type.namespaced() ? "/namespaces/{namespace}/" : "/")
              + type.plural();
      JsonObject collection = new JsonObject();
      JsonObject kind = OpenApiModels.makeKind(type);
      collection.add("get", makeOperation(kind, "list", List.of(), version));
      collection.add("post", makeOperation(kind, "post", OF_WRITES, version));
      paths.add(all, collection);
      JsonObject one = makePath(type, version);
      paths.add(all + "/{name}", one);
      if (type.hasStatus()) {
        JsonObject status = one.deepCopy();
        status.remove("delete");
        paths.add(all + "/{name}/status", status);
      }
    }
    return paths;
  }

  private static JsonObject makePath(ResourceType type, OpenApiVersion version) {
    JsonObject kind = OpenApiModels.makeKind(type);
    JsonObject one = new JsonObject();
    one.add("get", makeOperation(kind, "get", List.of(), version));
    one.add("put", makeOperation(kind, "put", OF_WRITES, version));
    one.add("delete", makeOperation(kind, "delete", List.of("dryRun"), version));
    List<String> ofPatches = List.of("dryRun", "fieldManager", "fieldValidation", "force");
    one.add("patch", makeOperation(kind, "patch", ofPatches, version));
    return one;
  }

  private static JsonObject makeOperation(
      JsonObject kind, String action, List<String> query, OpenApiVersion version) {
    JsonObject operation = new JsonObject();
    JsonArray parameters = new JsonArray();
    query.forEach(name -> parameters.add(makeParameter(name, version)));
    operation.add("parameters", parameters);
    operation.add("responses", makeResponses());
    operation.addProperty("x-kubernetes-action", action);
    operation.add("x-kubernetes-group-version-kind", kind);
    return operation;
  }

  private static JsonObject makeParameter(String name, OpenApiVersion version) {
    JsonObject parameter = new JsonObject();
    parameter.addProperty("name", name);
    parameter.addProperty("in", "query");
    String type = name.equals("force") ? "boolean" : "string";
    if (version == OpenApiVersion.V2) {
      parameter.addProperty("type", type);
    } else {
      JsonObject schema = new JsonObject();
      schema.addProperty("type", type);
      parameter.add("schema", schema);
    }
    return parameter;
  }
}
