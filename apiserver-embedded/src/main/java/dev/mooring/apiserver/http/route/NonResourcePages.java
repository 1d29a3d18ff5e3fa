package dev.mooring.apiserver.http.route;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.http.request.RequestExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

final class NonResourcePages {
  private static final String[][] VERSION_ENTRIES = {
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

  static JsonObject makeVersion() {
    JsonObject version = new JsonObject();
    for (String[] entry : VERSION_ENTRIES) {
      version.addProperty(entry[0], entry[1]);
    }
    return version;
  }

  static void serveHealth(RequestExchange exchange, String path) throws IOException {
    String[] segments = path.substring(1).split("/");
    if (segments.length > 2 || (segments.length == 2 && !segments[1].equals("ping"))) {
      exchange.sendText(404, "404 page not found\n");
    } else if (exchange.query().has("verbose")) {
      exchange.sendText(200, "[+]ping ok\n" + segments[0] + " check passed\n");
    } else {
      exchange.sendText(200, "ok");
    }
  }

  static void serveMetrics(RequestExchange exchange, RequestCounts counts) throws IOException {
    String body =
        "# HELP kubernetes_build_info Version of this server.\n# TYPE kubernetes_build_info gauge\nkubernetes_build_info{git_version=\"v1.36.0+mooring\"} 1\n"
            + counts.format();
    exchange.sendAnswer(
        200,
        "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
        body.getBytes(StandardCharsets.UTF_8));
  }
}
