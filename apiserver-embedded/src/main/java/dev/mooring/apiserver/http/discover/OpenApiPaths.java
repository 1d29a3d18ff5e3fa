package dev.mooring.apiserver.http.discover;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.OpenApiProtobuf.OpenApiVersion;
import dev.mooring.apiserver.http.authorize.ReviewHandler;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.List;

final class OpenApiPaths {
  private static final List<String> WRITE_PARAMETERS =
      List.of("dryRun", "fieldManager", "fieldValidation");

  private OpenApiPaths() {}

  static JsonObject makeVersion2(List<ResourceType> types) {
    JsonObject body = newObject("swagger", "2.0", "info", makeInfo());
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
    ReviewHandler.getKinds(group)
        .forEach((plural, kind) -> {
          models.addKind(group, kind);
          JsonObject post =
              makeOperation(
                  OpenApiModels.makeKind(group, "v1", kind),
                  "post",
                  WRITE_PARAMETERS,
                  OpenApiVersion.V3);
          JsonObject pathItem = newObject("post", post);
          String scopePath = ReviewHandler.isNamespaced(plural) ? "namespaces/{namespace}/" : "";
          paths.add(base + scopePath + plural, pathItem);
        });
    return makeVersion3(paths, models.getModels());
  }

  static JsonObject makePage(String path) {
    return makeVersion3(newObject(path, makeDiscovery()), new JsonObject());
  }

  private static JsonObject makeVersion3(JsonObject paths, JsonObject models) {
    JsonObject body = newObject("openapi", "3.0.0", "info", makeInfo(), "paths", paths);
    JsonObject components = newObject("schemas", models);
    body.add("components", components);
    return body;
  }

  private static JsonObject makeInfo() {
    return newObject("title", "Kubernetes", "version", "v1.36.0");
  }

  private static JsonObject makeModels(List<ResourceType> types, OpenApiVersion version) {
    OpenApiModels models = new OpenApiModels(version);
    types.forEach(models::addResource);
    return models.getModels();
  }

  private static JsonObject makeDiscovery() {
    JsonObject get = newObject("responses", makeResponses());
    return newObject("get", get);
  }

  private static JsonObject makeResponses() {
    JsonObject responses = newObject("200", newObject("description", "OK"));
    responses.add("401", newObject("description", "Unauthorized"));
    return responses;
  }

  private static JsonObject makePaths(List<ResourceType> types, OpenApiVersion version) {
    JsonObject paths = new JsonObject();
    for (ResourceType type : types) {
      String collectionPath =
          (type.group().isEmpty() ? "/api/" : "/apis/")
              + type.apiVersion()
              + (type.namespaced() ? "/namespaces/{namespace}/" : "/")
              + type.plural();
      JsonObject collection = new JsonObject();
      JsonObject kind = OpenApiModels.makeKind(type);
      collection.add("get", makeOperation(kind, "list", List.of(), version));
      collection.add("post", makeOperation(kind, "post", WRITE_PARAMETERS, version));
      paths.add(collectionPath, collection);
      JsonObject pathItem = makePath(type, version);
      paths.add(collectionPath + "/{name}", pathItem);
      if (type.hasStatus()) {
        JsonObject status = pathItem.deepCopy();
        status.remove("delete");
        paths.add(collectionPath + "/{name}/status", status);
      }
    }
    return paths;
  }

  private static JsonObject makePath(ResourceType type, OpenApiVersion version) {
    JsonObject kind = OpenApiModels.makeKind(type);
    JsonObject pathItem = newObject("get", makeOperation(kind, "get", List.of(), version));
    pathItem.add("put", makeOperation(kind, "put", WRITE_PARAMETERS, version));
    pathItem.add("delete", makeOperation(kind, "delete", List.of("dryRun"), version));
    List<String> patchParameters = List.of("dryRun", "fieldManager", "fieldValidation", "force");
    pathItem.add("patch", makeOperation(kind, "patch", patchParameters, version));
    return pathItem;
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
    JsonObject parameter = newObject("name", name, "in", "query");
    String type = name.equals("force") ? "boolean" : "string";
    if (version == OpenApiVersion.V2) {
      parameter.addProperty("type", type);
    } else {
      JsonObject schema = newObject("type", type);
      parameter.add("schema", schema);
    }
    return parameter;
  }
}
