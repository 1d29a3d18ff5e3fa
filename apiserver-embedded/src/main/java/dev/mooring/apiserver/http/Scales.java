package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.Causes;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Stored;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How many of something: the scale subresource. */
final class Scales {
  private Scales() {}

  static JsonObject of(ResourceType type, JsonObject object) {
    JsonObject metadata = new JsonObject();
    for (String name :
        List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      JsonElement value = at(object, "metadata", name);
      if (value != null) {
        metadata.add(name, value);
      }
    }
    JsonObject scale = new JsonObject();
    scale.addProperty("kind", "Scale");
    scale.addProperty("apiVersion", "autoscaling/v1");
    scale.add("metadata", metadata);
    JsonObject spec = new JsonObject();
    long wanted = number(object, type.scale().wanted());
    if (wanted != 0) {
      spec.addProperty("replicas", wanted);
    }
    scale.add("spec", spec);
    JsonObject status = new JsonObject();
    status.addProperty("replicas", number(object, type.scale().present()));
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
    List<String> terms = new ArrayList<>();
    if (at(found.getAsJsonObject(), "matchLabels") instanceof JsonObject labels) {
      labels.keySet().stream().sorted().forEach(k -> terms.add(k + "=" + text(labels, k)));
    }
    return String.join(",", terms);
  }

  static void put(Verbs verbs, Exchange exchange, Target target) throws IOException, Problem {
    JsonObject sent = exchange.tree(new ArrayList<>(), "Scale");
    if (sent == null) {
      throw Problem.badRequest("empty body");
    }
    change(verbs, exchange, target, current -> sent);
  }

  /** Changes the object as an edit of its scale says, and answers with the new one. */
  static void change(Verbs verbs, Exchange exchange, Target target, Verbs.Edit edit)
      throws IOException, Problem {
    Stored updated =
        verbs.update(
            target.type(),
            target.namespace(),
            target.name(),
            Bodies.options(exchange, "").asPatch(),
            current -> {
              JsonObject scale = edit.apply(of(target.type(), current));
              String version = text(scale, "metadata", "resourceVersion");
              if (!version.isEmpty()) {
                child(current, "metadata").addProperty("resourceVersion", version);
              }
              JsonElement wanted = JsonBodies.at(scale, "spec", "replicas");
              long replicas = wanted == null ? 0 : wanted.getAsLong();
              if (replicas < 0) {
                Causes causes = new Causes();
                causes.invalid("spec.replicas", replicas, "must be greater than or equal to 0");
                throw Problem.invalid("autoscaling", "Scale", target.name(), causes.all());
              }
              List<String> path = target.type().scale().wanted();
              child(current, path.subList(0, path.size() - 1).toArray(String[]::new))
                  .addProperty(path.getLast(), replicas);
              return current;
            });
    exchange.json(200, of(target.type(), updated.tree()));
  }
}
