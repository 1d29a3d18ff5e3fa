package dev.mooring.apiserver.http.discover;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.OpenApiProtobuf;
import dev.mooring.apiserver.codec.OpenApiProtobuf.OpenApiVersion;
import dev.mooring.apiserver.http.authorize.ReviewHandler;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.io.IOException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

final class OpenApiHandler {
  private static final String V3 = "/openapi/v3";
  private static final String PROTOBUF_V2 = "com.github.proto-openapi.spec.v2";
  private static final String PROTOBUF_V3 = "com.github.proto-openapi.spec.v3";
  private static final int MIN_GZIP_BYTES = 1400; // kube-apiserver compresses only version 2
  private static final String IMMUTABLE_CACHE = "public, immutable";

  // The documents of the built-in resources by path; they never change.
  private static final class BuiltInDocuments {
    private static final Map<String, CacheableDocument> V3 =
        addPages(makeDocuments(KindCatalogue.ALL));
    private static final CacheableDocument V2 =
        CacheableDocument.of(OpenApiPaths.makeVersion2(KindCatalogue.ALL));
    private static final byte[] V2_PROTOBUF = OpenApiProtobuf.encode(V2.tree(), OpenApiVersion.V2);

    private BuiltInDocuments() {}

    private static Map<String, CacheableDocument> addPages(
        Map<String, CacheableDocument> documents) {
      for (String page : List.of("api", "apis", "version")) {
        documents.put(page, CacheableDocument.of(OpenApiPaths.makePage("/" + page + "/")));
      }
      for (String group : ReviewHandler.GROUPS) {
        String path = "apis/" + group;
        documents.put(path, CacheableDocument.of(OpenApiPaths.makePage("/" + path + "/")));
        documents.put(path + "/v1", CacheableDocument.of(OpenApiPaths.makeReviews(group)));
      }
      return documents;
    }
  }

  private final List<ResourceType> customTypes;

  OpenApiHandler(List<ResourceType> customTypes) {
    this.customTypes = customTypes;
  }

  private static Map<String, CacheableDocument> makeDocuments(List<ResourceType> types) {
    Map<String, List<ResourceType>> versions = new TreeMap<>();
    types.forEach(t -> versions.computeIfAbsent(makePath(t), p -> new ArrayList<>()).add(t));
    Map<String, CacheableDocument> documents = new TreeMap<>();
    versions.forEach((path, typesAtPath) -> {
      documents.put(path, CacheableDocument.of(OpenApiPaths.makeVersion3(path, typesAtPath)));
      if (path.startsWith("apis/")) {
        String group = path.substring(0, path.lastIndexOf('/'));
        documents.put(group, CacheableDocument.of(OpenApiPaths.makePage("/" + group + "/")));
      }
    });
    return documents;
  }

  private static String makePath(ResourceType type) {
    return (type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion();
  }

  private Map<String, CacheableDocument> collectDocuments() {
    Map<String, CacheableDocument> documents = new TreeMap<>(makeDocuments(customTypes));
    documents.putAll(BuiltInDocuments.V3);
    return documents;
  }

  void serve(RequestExchange exchange) throws IOException {
    String path = exchange.path();
    if (path.equals(V3)) {
      serveRoot(exchange);
    } else if (path.equals("/openapi/v2")) {
      serveVersion2(exchange);
    } else {
      String name = path.startsWith(V3 + "/") ? path.substring(V3.length() + 1) : "";
      CacheableDocument document = collectDocuments().get(name);
      if (document == null) {
        exchange.sendAnswer(404, "", new byte[0]);
      } else {
        serveVersion3(exchange, name, document);
      }
    }
  }

  // Like kube-apiserver's, the root document has no ETag; its entries have hashes.
  private void serveRoot(RequestExchange exchange) throws IOException {
    JsonObject paths = new JsonObject();
    collectDocuments()
        .forEach((name, document) -> {
          paths.add(name, newObject("serverRelativeURL", makeUrl(name, document)));
        });
    JsonObject body = newObject("paths", paths);
    exchange.setHeader("Last-Modified", formatDate(ZonedDateTime.now(ZoneOffset.UTC)));
    exchange.sendText(200, body.toString());
  }

  private static String makeUrl(String name, CacheableDocument document) {
    return V3 + "/" + name + "?hash=" + document.hash();
  }

  private static String formatDate(ZonedDateTime time) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(time);
  }

  private static void serveVersion2(RequestExchange exchange) throws IOException {
    String form = OpenApiNegotiation.selectFirst(exchange.getAccept(), PROTOBUF_V2);
    exchange.setHeader("Vary", "Accept");
    if (form.isEmpty()) {
      exchange.sendAnswer(406, "", new byte[0]);
    } else {
      byte[] body =
          form.equals(OpenApiNegotiation.JSON)
              ? BuiltInDocuments.V2.json()
              : BuiltInDocuments.V2_PROTOBUF;
      BuiltInDocuments.V2.send(exchange, form, body, MIN_GZIP_BYTES);
    }
  }

  private static void serveVersion3(
      RequestExchange exchange, String name, CacheableDocument document) throws IOException {
    String form = OpenApiNegotiation.selectFirst(exchange.getAccept(), PROTOBUF_V3);
    String hash = exchange.query().getText("hash");
    exchange.setHeader("Vary", "Accept");
    if (form.isEmpty()) {
      exchange.sendAnswer(406, "", new byte[0]);
    } else if (!hash.isEmpty() && !hash.equals(document.hash())) {
      exchange.setHeader("Location", makeUrl(name, document));
      exchange.sendAnswer(301, "", new byte[0]);
    } else {
      if (!hash.isEmpty()) {
        exchange.setHeader("Cache-Control", IMMUTABLE_CACHE);
        exchange.setHeader("Expires", formatDate(ZonedDateTime.now(ZoneOffset.UTC).plusYears(1)));
      }
      byte[] body =
          form.equals(OpenApiNegotiation.JSON)
              ? document.json()
              : OpenApiProtobuf.encode(document.tree(), OpenApiVersion.V3);
      document.send(exchange, form, body, Integer.MAX_VALUE);
    }
  }
}
