package dev.mooring.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.Set;

/**
 * The members of the Prometheus operator's kinds (monitoring.coreos.com/v1) that the chart uses. A
 * member that is missing here is unknown to the operator or must be added.
 */
final class OperatorKinds {
  private static final Set<String> OBJECT = Set.of("apiVersion", "kind", "metadata", "spec");
  private static final Set<String> MONITOR =
      Set.of("endpoints", "jobLabel", "namespaceSelector", "selector", "targetLabels");
  private static final Set<String> ENDPOINT =
      Set.of(
          "port",
          "path",
          "scheme",
          "interval",
          "scrapeTimeout",
          "tlsConfig",
          "authorization",
          "bearerTokenFile",
          "honorLabels",
          "relabelings",
          "metricRelabelings");
  private static final Set<String> TLS =
      Set.of(
          "ca",
          "caFile",
          "cert",
          "certFile",
          "insecureSkipVerify",
          "keyFile",
          "keySecret",
          "serverName");
  private static final Set<String> GROUP =
      Set.of(
          "name",
          "interval",
          "query_offset",
          "limit",
          "labels",
          "rules",
          "partial_response_strategy");
  private static final Set<String> RULE =
      Set.of("alert", "annotations", "expr", "for", "keep_firing_for", "labels", "record");

  private OperatorKinds() {}

  private static JsonObject check(JsonElement element, Set<String> members) {
    JsonObject object = element.getAsJsonObject();
    assertThat(members).containsAll(object.keySet());
    return object;
  }

  static void checkMonitor(JsonObject monitor) {
    JsonObject spec = check(check(monitor, OBJECT).get("spec"), MONITOR);
    for (JsonElement endpoint : spec.getAsJsonArray("endpoints")) {
      check(check(endpoint, ENDPOINT).get("tlsConfig"), TLS);
    }
    assertThat(spec.getAsJsonObject("selector").keySet())
        .isSubsetOf("matchLabels", "matchExpressions");
  }

  static void checkRule(JsonObject rule) {
    JsonObject spec = check(check(rule, OBJECT).get("spec"), Set.of("groups"));
    for (JsonElement group : spec.getAsJsonArray("groups")) {
      for (JsonElement element : check(group, GROUP).getAsJsonArray("rules")) {
        assertThat(check(element, RULE).has("expr")).isTrue();
      }
    }
  }
}
