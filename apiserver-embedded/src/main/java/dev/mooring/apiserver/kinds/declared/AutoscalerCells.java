package dev.mooring.apiserver.kinds.declared;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.kinds.model.TableColumns.defaultIfEmpty;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

final class AutoscalerCells {
  private static final String UNKNOWN = "<unknown>";
  private static final int MAX_METRICS = 2;

  private AutoscalerCells() {}

  static String formatMetrics(JsonObject autoscaler) {
    List<JsonObject> metrics = ComputedCells.listElements(autoscaler, "spec", "metrics");
    List<JsonObject> current = ComputedCells.listElements(autoscaler, "status", "currentMetrics");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < metrics.size(); i++) {
      texts.add(
          formatMetric(metrics.get(i), i < current.size() ? current.get(i) : new JsonObject()));
    }
    String shown = String.join(", ", texts.subList(0, Math.min(MAX_METRICS, texts.size())));
    return texts.isEmpty()
        ? "<none>"
        : texts.size() > MAX_METRICS
            ? shown + " + " + (texts.size() - MAX_METRICS) + " more..."
            : shown;
  }

  private static String formatMetric(JsonObject metric, JsonObject status) {
    String type = textAt(metric, "type");
    return switch (type) {
      case "Resource" -> formatResource(metric, status, "resource");
      case "ContainerResource" -> formatResource(metric, status, "containerResource");
      case "Pods" -> formatValue(metric, status, "pods", "averageValue");
      case "Object" -> formatObject(metric, status, "object");
      case "External" -> formatObject(metric, status, "external");
      default -> "<unknown type>";
    };
  }

  private static String formatResource(JsonObject metric, JsonObject status, String source) {
    String name = textAt(metric, source, "name") + ": ";
    if (!textAt(metric, source, "target", "averageValue").isEmpty()) {
      return name + formatValue(metric, status, source, "averageValue");
    }
    String current = textAt(status, source, "current", "averageUtilization");
    String target = textAt(metric, source, "target", "averageUtilization");
    return name
        + (current.isEmpty() ? UNKNOWN : current + "%")
        + "/"
        + (target.isEmpty() ? "<auto>" : target + "%");
  }

  private static String formatObject(JsonObject metric, JsonObject status, String source) {
    return textAt(metric, source, "target", "averageValue").isEmpty()
        ? formatValue(metric, status, source, "value")
        : formatValue(metric, status, source, "averageValue") + " (avg)";
  }

  private static String formatValue(
      JsonObject metric, JsonObject status, String source, String value) {
    return defaultIfEmpty(textAt(status, source, "current", value), UNKNOWN)
        + "/"
        + textAt(metric, source, "target", value);
  }
}
