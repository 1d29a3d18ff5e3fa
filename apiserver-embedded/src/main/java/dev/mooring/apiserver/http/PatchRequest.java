package dev.mooring.apiserver.http;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.Values;
import dev.mooring.apiserver.kinds.Catalogue;
import dev.mooring.apiserver.kinds.EventRules;
import dev.mooring.apiserver.kinds.Problem;
import dev.mooring.apiserver.kinds.ResourceType;
import dev.mooring.apiserver.store.Stored;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A PATCH. */
final class PatchRequest {
  private static final String APPLY = "application/apply-patch+yaml";

  private final Verbs verbs;
  private final Exchange exchange;
  private final ResourceType type;
  private final String namespace;
  private final String name;

  PatchRequest(Verbs verbs, Exchange exchange, ResourceType type, String namespace, String name) {
    this.verbs = verbs;
    this.exchange = exchange;
    this.type = type;
    this.namespace = namespace;
    this.name = name;
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
    Form form = Form.of(exchange.accept());
    byte[] body = exchange.body();
    List<String> complaints = new ArrayList<>();
    JsonElement patch = parse(body, contentType.equals(APPLY), complaints);
    int code = 200;
    Stored result;
    boolean apply = contentType.equals(APPLY);
    if (apply && exchange.query().text("fieldManager").isEmpty()) {
      throw Problem.invalid(
          "meta.k8s.io",
          "PatchOptions",
          "",
          List.of(
              new Problem.Cause(
                  "FieldValueRequired",
                  "Required value: is required for apply patch",
                  "fieldManager")));
    }
    boolean missing = verbs.store(type).get(Verbs.key(type, namespace, name)) == null;
    if (apply && missing && options.subresource().isEmpty()) {
      JsonObject config = object(patch).deepCopy();
      JsonBodies.child(config, "metadata").addProperty("name", name);
      JsonObject conformed = Bodies.conform(exchange, type, config, complaints);
      result = verbs.create(type, namespace, conformed, options);
      if (!options.dryRun()) {
        result =
            verbs.update(
                type,
                namespace,
                name,
                WriteOptions.PLAIN,
                current -> remember(current, object(patch)));
      }
      code = 201;
    } else {
      result =
          verbs.update(
              type,
              namespace,
              name,
              options,
              current -> patched(current, patch, contentType, complaints));
    }
    exchange.answer(
        code,
        form.encoding().type(),
        Rendering.object(type, result, form, exchange.query().text("includeObject")));
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
    JsonObject own = type == Catalogue.NEW_EVENTS ? EventRules.toEvents(current) : current;
    own.addProperty("kind", type.kind());
    own.addProperty("apiVersion", type.apiVersion());
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
          case APPLY -> Patches.apply(own, appliedBefore(own), object(patch));
          default -> Patches.strategic(own, object(patch));
        };
    JsonObject tree = object(result);
    JsonElement kind = tree.get("kind");
    JsonElement version = tree.get("apiVersion");
    if (kind == null
        || !kind.getAsString().equals(type.kind())
        || version == null
        || !version.getAsString().equals(type.apiVersion())) {
      throw Problem.unreadablePatch("the kind may not change");
    }
    JsonObject conformed = conform(tree, complaints, contentType.equals(APPLY));
    return contentType.equals(APPLY) ? remember(conformed, object(patch)) : conformed;
  }

  /** What is wrong with the result of a patch is the patch's fault, and said so. */
  private JsonObject conform(JsonObject tree, List<String> complaints, boolean apply)
      throws Problem {
    try {
      return Bodies.conform(exchange, type, tree, new ArrayList<>(complaints));
    } catch (Problem unreadable) {
      String why = String.valueOf(unreadable.getMessage());
      throw apply
          ? Problem.internal("failed to create typed patch object: " + why)
          : Problem.unreadablePatch(why);
    }
  }

  private String manager() {
    return exchange.query().text("fieldManager");
  }

  private @Nullable JsonObject appliedBefore(JsonObject own) {
    if (JsonBodies.at(own, "metadata", "managedFields") instanceof JsonArray entries) {
      for (JsonElement entry : entries) {
        JsonObject e = entry.getAsJsonObject();
        if (text(e, "manager").equals(manager())
            && text(e, "operation").equals("Apply")
            && e.get("fieldsV1") instanceof JsonObject fields
            && fields.get("f:mooring") instanceof JsonObject applied) {
          return applied;
        }
      }
    }
    return null;
  }

  /** Notes what the manager applied, so that its next apply can take back what it leaves out. */
  private JsonObject remember(JsonObject object, JsonObject applied) {
    JsonObject metadata = JsonBodies.child(object, "metadata");
    JsonArray kept = new JsonArray();
    if (metadata.get("managedFields") instanceof JsonArray entries) {
      entries.forEach(e -> {
        if (!text(e.getAsJsonObject(), "manager").equals(manager())) {
          kept.add(e);
        }
      });
    }
    JsonObject entry = new JsonObject();
    entry.addProperty("manager", manager());
    entry.addProperty("operation", "Apply");
    entry.addProperty("apiVersion", type.apiVersion());
    entry.addProperty("time", Values.seconds(Instant.now()));
    entry.addProperty("fieldsType", "FieldsV1");
    JsonObject fields = new JsonObject();
    fields.add("f:mooring", applied.deepCopy());
    entry.add("fieldsV1", fields);
    kept.add(entry);
    metadata.add("managedFields", kept);
    return object;
  }
}
