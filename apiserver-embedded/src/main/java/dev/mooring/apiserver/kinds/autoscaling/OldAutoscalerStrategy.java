package dev.mooring.apiserver.kinds.autoscaling;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.kinds.rules.MemberDefaults.setIfAbsent;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.mooring.apiserver.kinds.declared.DeclaredStrategy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Autoscalers in version v1. It has a field for the utilization of the CPU only; annotations keep
 * what it cannot express.
 */
public final class OldAutoscalerStrategy extends DeclaredStrategy {
  private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
  private static final String METRICS = PREFIX + "metrics";

  // the member of version v2 that each annotation keeps
  private static final Map<String, String[]> KEPT_MEMBERS = new LinkedHashMap<>();

  static {
    KEPT_MEMBERS.put(PREFIX + "current-metrics", new String[] {"status", "currentMetrics"});
    KEPT_MEMBERS.put(PREFIX + "conditions", new String[] {"status", "conditions"});
    KEPT_MEMBERS.put(PREFIX + "behavior", new String[] {"spec", "behavior"});
  }

  public OldAutoscalerStrategy() {
    super("horizontalpodautoscalers.autoscaling", "HorizontalPodAutoscaler");
  }

  @Override
  public JsonObject toServedForm(JsonObject stored) {
    JsonObject object = stored.deepCopy();
    JsonObject spec = getOrAddChild(object, "spec");
    JsonArray others = new JsonArray();
    if (spec.remove("metrics") instanceof JsonArray metrics) {
      for (JsonElement metric : metrics) {
        JsonElement utilization = findUtilization(metric.getAsJsonObject(), "target");
        if (utilization == null) {
          others.add(metric);
        } else if (!spec.has("targetCPUUtilizationPercentage")) {
          spec.add("targetCPUUtilizationPercentage", utilization);
        }
      }
    }
    JsonObject annotations = new JsonObject();
    if (!others.isEmpty()) {
      annotations.addProperty(METRICS, others.toString());
    }
    JsonObject status = getOrAddChild(object, "status");
    if (status.get("currentMetrics") instanceof JsonArray metrics) {
      for (JsonElement metric : metrics) {
        JsonElement utilization = findUtilization(metric.getAsJsonObject(), "current");
        if (utilization != null) {
          status.add("currentCPUUtilizationPercentage", utilization);
        }
      }
    }
    setIfAbsent(status, "currentReplicas", 0);
    KEPT_MEMBERS.forEach((annotation, path) -> {
      JsonElement value = getOrAddChild(object, path[0]).remove(path[1]);
      if (value != null && !value.isJsonNull() && !value.toString().equals("[]")) {
        annotations.addProperty(annotation, value.toString());
      }
    });
    if (!annotations.isEmpty()) {
      JsonObject all = getOrAddChild(object, "metadata", "annotations");
      annotations.entrySet().forEach(e -> all.add(e.getKey(), e.getValue()));
    }
    return object;
  }

  private static @Nullable JsonElement findUtilization(JsonObject metric, String member) {
    return textAt(metric, "resource", "name").equals("cpu")
        ? valueAt(metric, "resource", member, "averageUtilization")
        : null;
  }

  @Override
  public JsonObject toStoredForm(JsonObject object) {
    JsonObject spec = getOrAddChild(object, "spec");
    JsonObject annotations =
        valueAt(object, "metadata", "annotations") instanceof JsonObject map
            ? map
            : new JsonObject();
    JsonArray metrics =
        parse(annotations.remove(METRICS)) instanceof JsonArray list ? list : new JsonArray();
    JsonElement utilization = spec.remove("targetCPUUtilizationPercentage");
    if (utilization != null && !utilization.isJsonNull()) {
      JsonObject target = newObject("type", "Utilization", "averageUtilization", utilization);
      metrics.add(
          newObject("type", "Resource", "resource", newObject("name", "cpu", "target", target)));
    }
    if (!metrics.isEmpty()) {
      spec.add("metrics", metrics);
    }
    getOrAddChild(object, "status").remove("currentCPUUtilizationPercentage");
    getOrAddChild(object, "status").add("currentMetrics", JsonNull.INSTANCE);
    KEPT_MEMBERS.forEach((annotation, path) -> {
      JsonElement value = parse(annotations.remove(annotation));
      if (value != null) {
        getOrAddChild(object, path[0]).add(path[1], value);
      }
    });
    return object;
  }

  // Returns null for an absent annotation, and for one that is no JSON.
  private static @Nullable JsonElement parse(@Nullable JsonElement annotation) {
    try {
      return annotation == null ? null : JsonParser.parseString(annotation.getAsString());
    } catch (JsonParseException e) {
      return null;
    }
  }
}
