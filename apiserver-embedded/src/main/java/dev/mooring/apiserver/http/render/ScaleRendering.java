package dev.mooring.apiserver.http.render;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.objectOf;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import java.util.List;

public final class ScaleRendering {
  private ScaleRendering() {}

  public static JsonObject makeScale(ResourceType type, JsonObject object) {
    JsonObject metadata = new JsonObject();
    for (String name :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      JsonElement value = at(object, "metadata", name);
      if (value != null) {
        metadata.add(name, value);
      }
    }
    JsonObject scale = objectOf("kind", "Scale", "apiVersion", "autoscaling/v1");
    scale.add("metadata", metadata);
    JsonObject spec = new JsonObject();
    long replicas = getNumber(object, type.scale().desiredReplicas());
    if (replicas != 0) {
      spec.addProperty("replicas", replicas);
    }
    scale.add("spec", spec);
    JsonObject status = objectOf("replicas", getNumber(object, type.scale().currentReplicas()));
    String selector = formatSelector(object, type.scale().selector());
    if (!selector.isEmpty()) {
      status.addProperty("selector", selector);
    }
    scale.add("status", status);
    return scale;
  }

  private static long getNumber(JsonObject object, List<String> path) {
    JsonElement value = at(object, path.toArray(String[]::new));
    return value == null ? 0 : value.getAsLong();
  }

  private static String formatSelector(JsonObject object, List<String> path) {
    JsonElement value = path.isEmpty() ? null : at(object, path.toArray(String[]::new));
    if (value == null) {
      return "";
    }
    if (value.isJsonPrimitive()) {
      return value.getAsString();
    }
    return LabelSelectors.formatLine(value);
  }
}
