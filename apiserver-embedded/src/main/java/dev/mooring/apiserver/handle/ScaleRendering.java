package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import java.util.List;

public final class ScaleRendering {
  private ScaleRendering() {}

  public static JsonObject makeScale(ResourceType type, JsonObject object) {
    JsonObject metadata = new JsonObject();
    for (String name :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      JsonElement value = valueAt(object, "metadata", name);
      if (value != null) {
        metadata.add(name, value);
      }
    }
    JsonObject scale = newObject("kind", "Scale", "apiVersion", "autoscaling/v1");
    scale.add("metadata", metadata);
    JsonObject spec = new JsonObject();
    long replicas = getNumber(object, type.scale().desiredReplicas());
    if (replicas != 0) {
      spec.addProperty("replicas", replicas);
    }
    scale.add("spec", spec);
    JsonObject status = newObject("replicas", getNumber(object, type.scale().currentReplicas()));
    String selector = formatSelector(type, object, type.scale().selector());
    if (!selector.isEmpty()) {
      status.addProperty("selector", selector);
    }
    scale.add("status", status);
    return scale;
  }

  /** Sets the replicas of the object to those of the scale, and returns them. */
  public static long setReplicas(ResourceType type, JsonObject scale, JsonObject object) {
    JsonElement requested = valueAt(scale, "spec", "replicas");
    long replicas = requested == null ? 0 : requested.getAsLong();
    List<String> path = type.scale().desiredReplicas();
    getOrAddChild(object, path.subList(0, path.size() - 1).toArray(String[]::new))
        .addProperty(path.getLast(), replicas);
    return replicas;
  }

  private static long getNumber(JsonObject object, List<String> path) {
    JsonElement value = valueAt(object, path.toArray(String[]::new));
    return value == null ? 0 : value.getAsLong();
  }

  private static String formatSelector(ResourceType type, JsonObject object, List<String> path) {
    JsonElement value = path.isEmpty() ? null : valueAt(object, path.toArray(String[]::new));
    if (value == null) {
      return "";
    }
    if (value.isJsonPrimitive()) {
      return value.getAsString();
    }
    // the selector of a replication controller is a map of labels
    return type == KindCatalogue.CONTROLLERS
        ? LabelSelectors.formatLine(newObject("matchLabels", value))
        : LabelSelectors.formatLine(value);
  }
}
