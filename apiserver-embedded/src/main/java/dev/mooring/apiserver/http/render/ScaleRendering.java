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

  public static JsonObject scale(ResourceType type, JsonObject object) {
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
    long replicas = number(object, type.scale().wanted());
    if (replicas != 0) {
      spec.addProperty("replicas", replicas);
    }
    scale.add("spec", spec);
    JsonObject status = objectOf("replicas", number(object, type.scale().present()));
    String selector = selector(object, type.scale().selector());
    if (!selector.isEmpty()) {
      status.addProperty("selector", selector);
    }
    scale.add("status", status);
    return scale;
  }

  private static long number(JsonObject object, List<String> path) {
    JsonElement value = at(object, path.toArray(String[]::new));
    return value == null ? 0 : value.getAsLong();
  }

  private static String selector(JsonObject object, List<String> path) {
    JsonElement found = path.isEmpty() ? null : at(object, path.toArray(String[]::new));
    if (found == null) {
      return "";
    }
    if (found.isJsonPrimitive()) {
      return found.getAsString();
    }
    return LabelSelectors.formatLine(found);
  }
}
