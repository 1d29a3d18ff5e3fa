package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.Ownership;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.kinds.EventStrategy;
import dev.mooring.apiserver.kinds.FieldErrors;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Stored;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A PATCH. */
final class PatchRequest {
  private static final String APPLY = "application/apply-patch+yaml";

  /** Throws if the caller may not do what the patch does. */
  interface Guard {
    /** It makes this of the object. */
    void result(JsonObject object) throws Problem;

    /** It makes an object that is not there yet. */
    void creation() throws Problem;
  }

  private final Handlers verbs;
  private final Exchange exchange;
  private final ResourceType type;
  private final String namespace;
  private final String name;
  private final String subresource;
  private final RequestTarget target;
  private final Guard guard;

  PatchRequest(Handlers verbs, Exchange exchange, RequestTarget target, Guard guard) {
    this.verbs = verbs;
    this.exchange = exchange;
    this.type = target.type();
    this.namespace = target.namespace();
    this.name = target.name();
    this.subresource = target.subresource();
    this.target = target;
    this.guard = guard;
  }

  void serve(WriteOptions options) throws IOException, Problem {
    String contentType = exchange.contentType();
    if (!List.of(
            "application/json-patch+json",
            "application/merge-patch+json",
            "application/strategic-merge-patch+json",
            APPLY)
        .contains(contentType)) {
      throw Problem.unsupportedPatch();
    }
    if (type.isCustom() && contentType.startsWith("application/strategic")) {
      throw Problem.unsupportedCustomPatch();
    }
    Form form = Form.of(exchange.accept(), type);
    byte[] body = exchange.body();
    List<String> complaints = new ArrayList<>();
    boolean apply = contentType.equals(APPLY);
    checkOptions(apply);
    JsonElement patch = parse(body, apply, complaints);
    if (subresource.equals("scale")) {
      if (apply) {
        applyScale(Scales.config(type, object(patch)), options);
      } else {
        Scales.patch(verbs, exchange, target, scale -> scale(scale, patch, contentType));
      }
      return;
    }
    boolean missing = apply && verbs.store(type).get(Handlers.key(type, namespace, name)) == null;
    Stored result;
    if (missing && options.subresource().isEmpty()) {
      JsonObject config = config(patch);
      if (text(config, "metadata", "name").isEmpty()) {
        throw nameless();
      }
      guard.creation();
      Preconditions.creation(type, name, config);
      JsonObject conformed =
          conform(applied(config, Owners.of(type, "").blank()), complaints, true);
      JsonBodies.child(conformed, "metadata").addProperty("name", name);
      result = verbs.create(type, namespace, conformed, options.by(WriteOptions.SETTLED));
    } else if (apply) {
      JsonObject config = config(patch);
      result =
          verbs.update(
              type,
              namespace,
              name,
              options.by(WriteOptions.SETTLED),
              current -> conform(applied(config, own(current)), complaints, true));
    } else {
      result =
          verbs.update(
              type,
              namespace,
              name,
              options,
              current -> patched(current, patch, contentType, complaints));
    }
    type.rules().warnings(result.tree()).forEach(exchange::warn);
    exchange.answer(
        missing ? 201 : 200,
        form.encoding().type(),
        Rendering.object(type, result, form, exchange.query().text("includeObject")));
  }

  private void applyScale(JsonObject config, WriteOptions options) throws IOException, Problem {
    Stored result =
        verbs.update(
            type,
            namespace,
            name,
            options.by(WriteOptions.SETTLED),
            current -> applied(config, own(current)));
    Scales.answer(exchange, type, result);
  }

  private static JsonObject scale(JsonObject scale, JsonElement patch, String contentType)
      throws Problem {
    return contentType.equals("application/json-patch+json")
        ? object(Patches.json(scale, patch.getAsJsonArray()))
        : Patches.merge(scale, object(patch));
  }

  private void checkOptions(boolean apply) throws Problem {
    FieldErrors causes = new FieldErrors();
    if (apply && exchange.query().text("fieldManager").isEmpty()) {
      causes.required("fieldManager", "is required for apply patch");
    }
    if (!apply && exchange.query().has("force")) {
      causes.forbidden("force", "may not be specified for non-apply patch");
    }
    if (!causes.isEmpty()) {
      throw Problem.invalid("meta.k8s.io", "PatchOptions", "", causes.all());
    }
  }

  /** The configuration of an apply, checked as far as no object is needed for that. */
  private JsonObject config(JsonElement patch) throws Problem {
    JsonObject config = object(patch).deepCopy();
    String kind = text(config, "kind");
    String version = text(config, "apiVersion");
    if (kind.isEmpty() || version.isEmpty()) {
      String group = version.contains("/") ? version.substring(0, version.indexOf('/')) : "";
      throw Problem.badRequest(
          "invalid object type: "
              + group
              + "/"
              + version.substring(version.indexOf('/') + 1)
              + ", Kind="
              + kind);
    }
    String sentName = text(config, "metadata", "name");
    if (!sentName.isEmpty() && !sentName.equals(name)) {
      throw Problem.badRequest(
          "the name of the object ("
              + sentName
              + ") does not match the name on the URL ("
              + name
              + ")");
    }
    String sentNamespace = text(config, "metadata", "namespace");
    if (!sentNamespace.isEmpty() && !sentNamespace.equals(namespace)) {
      throw Problem.badRequest(
          "the namespace of the object ("
              + sentNamespace
              + ") does not match the namespace on the request ("
              + namespace
              + ")");
    }
    if (!version.equals(type.apiVersion())) {
      throw Problem.badRequest(
          "Incorrect version specified in apply patch. Specified patch version: "
              + version
              + ", expected: "
              + type.apiVersion());
    }
    if (!kind.equals(type.kind())) {
      throw Problem.badRequest(
          "unable to apply: the kind of the object is "
              + kind
              + ", the kind of the resource "
              + type.kind());
    }
    JsonElement managed = JsonBodies.at(config, "metadata", "managedFields");
    if (managed != null) {
      throw Problem.badRequest("metadata.managedFields must be nil");
    }
    List<String> errors = Owners.of(type, "").errors(config);
    if (!errors.isEmpty()) {
      throw Problem.internal(
          "failed to create typed patch object ("
              + text(config, "metadata", "namespace")
              + "/"
              + name
              + "; "
              + type.apiVersion()
              + ", Kind="
              + type.kind()
              + "): "
              + (errors.size() == 1
                  ? errors.getFirst()
                  : "errors:\n  " + String.join("\n  ", errors)));
    }
    return config;
  }

  private JsonObject own(JsonObject current) {
    JsonObject own =
        type.extras().custom().isPresent()
            ? type.extras().custom().get().view(current)
            : type == KindCatalogue.NEW_EVENTS ? EventStrategy.toEvents(current) : current;
    own.addProperty("kind", type.kind());
    own.addProperty("apiVersion", type.apiVersion());
    return own;
  }

  private JsonObject applied(JsonObject config, JsonObject live) throws Problem {
    try {
      return Owners.of(type, subresource)
          .apply(
              live, config, exchange.query().text("fieldManager"), exchange.query().truth("force"));
    } catch (Ownership.ConflictsException e) {
      String version = text(config, "metadata", "resourceVersion");
      if (!version.isEmpty() && !version.equals(text(live, "metadata", "resourceVersion"))) {
        throw Problem.stale(type, name);
      }
      throw Owners.refusal(e);
    }
  }

  private JsonElement parse(byte[] body, boolean yaml, List<String> complaints) throws Problem {
    String text = new String(body, StandardCharsets.UTF_8);
    try {
      if (yaml && !text.stripLeading().startsWith("{")) {
        return JsonBodies.parse(Yamls.toJson(text), complaints);
      }
      return JsonBodies.parse(text, complaints);
    } catch (BadBodyException e) {
      throw Problem.badRequest("error decoding patch: " + e.getMessage());
    }
  }

  private static JsonObject object(JsonElement patch) throws Problem {
    if (!patch.isJsonObject()) {
      throw Problem.badRequest(
          "error decoding patch: json: cannot unmarshal "
              + (patch.isJsonArray() ? "array" : "value")
              + " into Go value of type map[string]interface {}");
    }
    return patch.getAsJsonObject();
  }

  private JsonObject patched(
      JsonObject current, JsonElement patch, String contentType, List<String> complaints)
      throws Problem {
    JsonObject own = own(current);
    JsonElement result =
        switch (contentType) {
          case "application/json-patch+json" -> {
            if (!(patch instanceof JsonArray operations)) {
              throw Problem.badRequest(
                  "error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch");
            }
            yield Patches.json(own, operations);
          }
          case "application/merge-patch+json" -> Patches.merge(own, object(patch));
          default -> StrategicPatch.merge(own, object(patch), type.schema());
        };
    JsonObject tree = object(result);
    if (tree.isEmpty()) {
      throw nameless();
    }
    JsonElement kind = tree.get("kind");
    JsonElement version = tree.get("apiVersion");
    if (kind == null
        || !kind.getAsString().equals(type.kind())
        || version == null
        || !version.getAsString().equals(type.apiVersion())) {
      throw Problem.unreadablePatch("the kind may not change");
    }
    return conform(tree, complaints, false);
  }

  private Problem nameless() {
    return Problem.badRequest(
        "the name of the object ("
            + name
            + " based on URL) was undeterminable: name must be provided");
  }

  /** What is wrong with the result of a patch is the patch's fault, and said so. */
  private JsonObject conform(JsonObject tree, List<String> complaints, boolean apply)
      throws Problem {
    JsonObject object;
    try {
      object = RequestBodies.conform(exchange, type, tree, new ArrayList<>(complaints));
    } catch (Problem unreadable) {
      String why = String.valueOf(unreadable.getMessage());
      throw apply
          ? Problem.internal("failed to create typed patch object: " + why)
          : Problem.unreadablePatch(why);
    }
    guard.result(object);
    return object;
  }
}
