package dev.mooring.apiserver;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonSyntaxException;
import dev.mooring.apiserver.codec.JsonBodies;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** Sends requests to a server and reads answers as status code and paths into the body. */
final class Client {
  record Answer(int code, JsonObject body, List<String> warnings, String type) {
    String at(String... path) {
      JsonElement value = JsonBodies.valueAt(body, path);
      return value == null ? "" : value.isJsonPrimitive() ? value.getAsString() : value.toString();
    }

    List<String> causes() {
      List<String> causes = new ArrayList<>();
      if (JsonBodies.valueAt(body, "details", "causes") instanceof com.google.gson.JsonArray list) {
        for (JsonElement cause : list) {
          causes.add(
              JsonBodies.textAt(cause.getAsJsonObject(), "reason")
                  + " "
                  + JsonBodies.textAt(cause.getAsJsonObject(), "field"));
        }
      }
      return causes;
    }
  }

  private final HttpClient http;
  private final String url;
  private final String token;

  Client(HttpClient http, String url, String token) {
    this.http = http;
    this.url = url;
    this.token = token;
  }

  Client(ApiServer server, String token) {
    this(HttpClient.newHttpClient(), server.url(), token);
  }

  Client with(String otherToken) {
    return new Client(http, url, otherToken);
  }

  Answer get(String path, String... headers) throws IOException, InterruptedException {
    return send("GET", path, "", headers);
  }

  Answer post(String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send("POST", path, body, headers);
  }

  Answer put(String path, String body, String... headers) throws IOException, InterruptedException {
    return send("PUT", path, body, headers);
  }

  Answer merge(String path, String body) throws IOException, InterruptedException {
    return send("PATCH", path, body, "Content-Type", "application/merge-patch+json");
  }

  Answer strategic(String path, String body) throws IOException, InterruptedException {
    return send("PATCH", path, body, "Content-Type", "application/strategic-merge-patch+json");
  }

  Answer apply(String path, String manager, String body) throws IOException, InterruptedException {
    return send(
        "PATCH",
        path + (path.contains("?") ? "&" : "?") + "fieldManager=" + manager,
        body,
        "Content-Type",
        "application/apply-patch+yaml");
  }

  Answer delete(String path, String... headers) throws IOException, InterruptedException {
    return send("DELETE", path, "", headers);
  }

  /** Sends any request. In bodies, ' replaces ". */
  Answer send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
    if (!token.isEmpty()) {
      request.setHeader("Authorization", "Bearer " + token);
    }
    request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    request.method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')));
    HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return new Answer(
        answer.statusCode(),
        tree(answer.body()),
        answer.headers().allValues("Warning"),
        answer.headers().firstValue("Content-Type").orElse(""));
  }

  private static JsonObject tree(String body) {
    try {
      return JsonParser.parseString(body) instanceof JsonObject object ? object : new JsonObject();
    } catch (JsonSyntaxException notJson) {
      return new JsonObject();
    }
  }
}
