package dev.mooring.apiserver.http.route;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.request.RequestExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

final class NonResourcePages {
  private static final String[][] VERSION = {
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
  };

  private NonResourcePages() {}

  static JsonObject version() {
    JsonObject version = new JsonObject();
    for (String[] entry : VERSION) {
      version.addProperty(entry[0], entry[1]);
    }
    return version;
  }

  static void health(RequestExchange exchange, String path) throws IOException {
    String[] parts = path.substring(1).split("/");
    if (parts.length > 2 || (parts.length == 2 && !parts[1].equals("ping"))) {
      exchange.text(404, "404 page not found\n");
    } else if (exchange.query().has("verbose")) {
      exchange.text(200, "[+]ping ok\n" + parts[0] + " check passed\n");
    } else {
      exchange.text(200, "ok");
    }
  }

  static void metrics(RequestExchange exchange, RequestCounts counts) throws IOException {
    String body =
        "# HELP kubernetes_build_info Version of this server.\n# TYPE kubernetes_build_info gauge\nkubernetes_build_info{git_version=\"v1.36.0+mooring\"} 1\n"
            + counts.format();
    exchange.answer(
        200,
        "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
        body.getBytes(StandardCharsets.UTF_8));
  }
}
