package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Protobuf;
import dev.mooring.apiserver.codec.Schema;
import dev.mooring.apiserver.kinds.FieldErrors;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.kinds.Selectable;
import dev.mooring.apiserver.store.Stored;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    return Selectable.line(found);
  }

  static void put(Handlers handlers, Exchange exchange, RequestTarget target)
      throws IOException, Problem {
    WriteOptions options = RequestBodies.options(exchange, "scale");
    JsonObject sent = exchange.tree(new ArrayList<>(), "Scale");
    if (sent == null) {
      throw Problem.badRequest("empty body");
    }
    JsonObject scale = read(sent);
    String name = text(scale, "metadata", "name");
    if (!name.equals(target.name())) {
      throw Problem.badRequest(
          "the name of the object ("
              + name
              + ") does not match the name on the URL ("
              + target.name()
              + ")");
    }
    change(handlers, exchange, target, options, current -> scale);
  }

  private static JsonObject read(JsonObject sent) throws Problem {
    String kind = text(sent, "kind");
    String version = text(sent, "apiVersion");
    if (!kind.equals("Scale") || !version.equals("autoscaling/v1")) {
      throw Problem.badRequest(
          kind
              + " in version \""
              + version
              + "\" cannot be handled as a Scale: converting ("
              + version
              + "."
              + kind
              + ") to (autoscaling.Scale): unknown conversion");
    }
    try {
      return JsonBodies.conform(sent, Schema.message("Scale"), new ArrayList<>()).object();
    } catch (BadBodyException e) {
      throw Problem.badRequest(
          "Scale in version \"v1\" cannot be handled as a Scale: " + e.getMessage());
    }
  }

  /** A patch of the scale; what is wrong with its result is the patch's fault. */
  static void patch(Handlers handlers, Exchange exchange, RequestTarget target, Handlers.Edit edit)
      throws IOException, Problem {
    change(
        handlers,
        exchange,
        target,
        RequestBodies.options(exchange, "scale").asPatch(),
        current -> {
          try {
            return JsonBodies.conform(
                    edit.apply(current), Schema.message("Scale"), new ArrayList<>())
                .object();
          } catch (BadBodyException e) {
            throw Problem.unreadablePatch(String.valueOf(e.getMessage()));
          }
        });
  }

  /** What an apply of a scale says of the object itself. */
  static JsonObject config(ResourceType type, JsonObject scale) {
    JsonObject config = new JsonObject();
    config.addProperty("apiVersion", type.apiVersion());
    config.addProperty("kind", type.kind());
    JsonElement wanted = at(scale, "spec", "replicas");
    List<String> path = type.scale().wanted();
    if (wanted != null) {
      child(config, path.subList(0, path.size() - 1).toArray(String[]::new))
          .add(path.getLast(), wanted);
    }
    return config;
  }

  /** Changes the object as an edit of its scale says, and answers with the new one. */
  private static void change(
      Handlers handlers,
      Exchange exchange,
      RequestTarget target,
      WriteOptions options,
      Handlers.Edit edit)
      throws IOException, Problem {
    Stored updated =
        handlers.update(
            target.type(),
            target.namespace(),
            target.name(),
            options,
            current -> scaled(target, edit.apply(of(target.type(), current)), current));
    answer(exchange, target.type(), updated);
  }

  private static JsonObject scaled(RequestTarget target, JsonObject scale, JsonObject object)
      throws Problem {
    String version = text(scale, "metadata", "resourceVersion");
    if (!version.isEmpty()) {
      child(object, "metadata").addProperty("resourceVersion", version);
    }
    JsonElement wanted = at(scale, "spec", "replicas");
    long replicas = wanted == null ? 0 : wanted.getAsLong();
    if (replicas < 0 && !target.type().isCustom()) {
      FieldErrors errors = new FieldErrors();
      errors.invalid("spec.replicas", replicas, "must be greater than or equal to 0");
      throw Problem.invalid("autoscaling", "Scale", target.name(), errors.all());
    }
    List<String> path = target.type().scale().wanted();
    child(object, path.subList(0, path.size() - 1).toArray(String[]::new))
        .addProperty(path.getLast(), replicas);
    return object;
  }

  /** Answers with the object's scale. */
  static void answer(Exchange exchange, ResourceType type, Stored object)
      throws IOException, Problem {
    JsonObject scale = of(type, object.tree());
    Form.Encoding encoding = Form.of(exchange.accept()).encoding();
    byte[] body =
        switch (encoding) {
          case JSON -> (scale + "\n").getBytes(StandardCharsets.UTF_8);
          case YAML -> Rendering.yaml(scale.toString());
          case PROTOBUF ->
              Protobuf.envelope(
                  "autoscaling/v1", "Scale", Protobuf.encode(scale, Schema.message("Scale")));
        };
    exchange.answer(200, encoding.type(), body);
  }
}
