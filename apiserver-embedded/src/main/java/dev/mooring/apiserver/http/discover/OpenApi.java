package dev.mooring.apiserver.http.discover;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.request.Exchange;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import java.io.IOException;
import java.util.List;

/**
 * As much OpenAPI as kubectl needs to leave validation to the server: per kind its path and the
 * query parameters of its patch.
 */
final class OpenApi {
  private OpenApi() {}

  static void serve(Exchange exchange) throws IOException, Problem {
    String path = exchange.path();
    switch (path) {
      case "/openapi/v3" -> exchange.text(200, index().toString());
      case "/openapi/v2" -> exchange.json(200, v2());
      default -> {
        String version =
            path.startsWith("/openapi/v3/") ? path.substring("/openapi/v3/".length()) : "";
        if (!version.equals("api/v1")
            && KindCatalogue.groups().stream()
                .noneMatch(g -> version.equals("apis/" + g + "/v1"))) {
          exchange.answer(404, "", new byte[0]);
          return;
        }
        exchange.json(200, document(version));
      }
    }
  }

  private static JsonObject index() {
    JsonObject paths = new JsonObject();
    paths.add("api/v1", link("api/v1"));
    KindCatalogue.groups().forEach(g -> paths.add("apis/" + g + "/v1", link("apis/" + g + "/v1")));
    JsonObject body = new JsonObject();
    body.add("paths", paths);
    return body;
  }

  private static JsonObject link(String version) {
    JsonObject link = new JsonObject();
    link.addProperty("serverRelativeURL", "/openapi/v3/" + version + "?hash=1");
    return link;
  }

  private static JsonObject v2() {
    JsonObject body = new JsonObject();
    body.addProperty("swagger", "2.0");
    JsonObject info = new JsonObject();
    info.addProperty("title", "Kubernetes");
    info.addProperty("version", "v1.36.0");
    body.add("info", info);
    body.add("paths", new JsonObject());
    body.add("definitions", new JsonObject());
    return body;
  }

  private static JsonObject document(String version) {
    JsonObject paths = new JsonObject();
    for (ResourceType type : KindCatalogue.ALL) {
      String base = type.group().isEmpty() ? "api/v1" : "apis/" + type.group() + "/v1";
      if (base.equals(version)) {
        String path =
            "/"
                + base
                + (type.namespaced() ? "/namespaces/{namespace}/" : "/")
                + type.plural()
                + "/{name}";
        JsonObject item = new JsonObject();
        item.add("patch", operation(type));
        paths.add(path, item);
      }
    }
    JsonObject body = new JsonObject();
    body.addProperty("openapi", "3.0.0");
    JsonObject info = new JsonObject();
    info.addProperty("title", "Kubernetes");
    info.addProperty("version", "v1.36.0");
    body.add("info", info);
    body.add("paths", paths);
    return body;
  }

  private static JsonObject operation(ResourceType type) {
    JsonObject operation = new JsonObject();
    JsonObject kind = new JsonObject();
    kind.addProperty("group", type.group());
    kind.addProperty("version", type.version());
    kind.addProperty("kind", type.kind());
    operation.add("x-kubernetes-group-version-kind", kind);
    operation.addProperty("x-kubernetes-action", "patch");
    JsonArray parameters = new JsonArray();
    for (String name : List.of("dryRun", "fieldManager", "fieldValidation", "force")) {
      JsonObject parameter = new JsonObject();
      parameter.addProperty("name", name);
      parameter.addProperty("in", "query");
      JsonObject schema = new JsonObject();
      schema.addProperty("type", name.equals("force") ? "boolean" : "string");
      parameter.add("schema", schema);
      parameters.add(parameter);
    }
    operation.add("parameters", parameters);
    return operation;
  }
}
