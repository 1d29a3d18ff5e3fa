package dev.mooring.apiserver.http.patch;

import static dev.mooring.apiserver.codec.JsonBodies.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.apply.FieldOwnership;
import dev.mooring.apiserver.codec.BadBodyException;
import dev.mooring.apiserver.codec.JsonBodies;
import dev.mooring.apiserver.codec.YamlBodies;
import dev.mooring.apiserver.handle.FieldOwnerships;
import dev.mooring.apiserver.handle.ObjectHandlers;
import dev.mooring.apiserver.handle.WriteOptions;
import dev.mooring.apiserver.http.authorize.WriteAccess;
import dev.mooring.apiserver.http.render.AnswerEncoder;
import dev.mooring.apiserver.http.render.AnswerForm;
import dev.mooring.apiserver.http.request.RequestBodies;
import dev.mooring.apiserver.http.request.RequestExchange;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.http.write.ScaleHandler;
import dev.mooring.apiserver.kinds.core.EventStrategy;
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

public final class PatchHandler {
  private static final String APPLY = "application/apply-patch+yaml";
  private static final List<String> KNOWN =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          APPLY);

  private final ObjectHandlers handlers;
  private final RequestExchange exchange;
  private final ResourceType type;
  private final String namespace;
  private final String name;
  private final String subresource;
  private final RequestTarget target;
  private final WriteAccess access;

  public PatchHandler(
      ObjectHandlers handlers, RequestExchange exchange, RequestTarget target, WriteAccess access) {
    this.handlers = handlers;
    this.exchange = exchange;
    this.type = target.type();
    this.namespace = target.namespace();
    this.name = target.name();
    this.subresource = target.subresource();
    this.target = target;
    this.access = access;
  }

  public void serve() throws IOException, StatusException {
    WriteOptions options = RequestBodies.options(exchange, subresource).asPatch();
    String contentType = contentType();
    AnswerForm form = AnswerForm.of(exchange.accept(), type);
    byte[] body = exchange.body();
    List<String> complaints = new ArrayList<>();
    boolean apply = contentType.equals(APPLY);
    checkOptions(apply);
    JsonElement patch = parse(body, apply, complaints);
    if (subresource.equals("scale")) {
      if (apply) {
        applyScale(ApplyConfiguration.ofScale(type, requireObject(patch)), options);
      } else {
        ScaleHandler.patch(
            handlers, exchange, target, scale -> patchScale(scale, patch, contentType));
      }
      return;
    }
    boolean missing =
        apply && handlers.store(type).get(ObjectHandlers.makeKey(type, namespace, name)) == null;
    StoredObject result =
        apply
            ? applied(requireObject(patch), missing, options, complaints)
            : handlers.update(
                type,
                namespace,
                name,
                options,
                current -> applyPatch(current, patch, contentType, complaints));
    type.rules().findWarnings(result.tree()).forEach(exchange::warn);
    exchange.answer(
        missing ? 201 : 200,
        form.encoding().type(),
        AnswerEncoder.object(type, result, form, exchange.query().text("includeObject")));
  }

  private String contentType() throws StatusException {
    String contentType = exchange.contentType();
    if (!KNOWN.contains(contentType)) {
      throw StatusException.unsupportedPatch();
    }
    if (type.isCustom() && contentType.startsWith("application/strategic")) {
      throw StatusException.unsupportedCustomPatch();
    }
    return contentType;
  }

  private StoredObject applied(
      JsonObject patch, boolean missing, WriteOptions options, List<String> complaints)
      throws IOException, StatusException {
    JsonObject config = ApplyConfiguration.of(target, patch);
    if (!missing || !options.subresource().isEmpty()) {
      return handlers.update(
          type,
          namespace,
          name,
          options.withManager(WriteOptions.SETTLED),
          current -> conform(applied(config, viewAsType(current)), complaints, true));
    }
    if (text(config, "metadata", "name").isEmpty()) {
      throw missingName();
    }
    access.requireCreate();
    ApplyConfiguration.checkCreation(type, name, config);
    JsonObject conformed =
        conform(applied(config, FieldOwnerships.findOwnership(type, "").blank()), complaints, true);
    JsonBodies.child(conformed, "metadata").addProperty("name", name);
    return handlers.create(type, namespace, conformed, options.withManager(WriteOptions.SETTLED));
  }

  private void applyScale(JsonObject config, WriteOptions options)
      throws IOException, StatusException {
    StoredObject result =
        handlers.update(
            type,
            namespace,
            name,
            options.withManager(WriteOptions.SETTLED),
            current -> applied(config, viewAsType(current)));
    ScaleHandler.answer(exchange, type, result);
  }

  private static JsonObject patchScale(JsonObject scale, JsonElement patch, String contentType)
      throws StatusException {
    return contentType.equals("application/json-patch+json")
        ? requireObject(JsonPatches.apply(scale, patch.getAsJsonArray()))
        : JsonPatches.merge(scale, requireObject(patch));
  }

  private void checkOptions(boolean apply) throws StatusException {
    FieldErrors errors = new FieldErrors();
    if (apply && exchange.query().text("fieldManager").isEmpty()) {
      errors.addRequired("fieldManager", "is required for apply patch");
    }
    if (!apply && exchange.query().has("force")) {
      errors.addForbidden("force", "may not be specified for non-apply patch");
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", "PatchOptions", "", errors.all());
    }
  }

  private JsonObject viewAsType(JsonObject current) {
    JsonObject view =
        type.extras().custom().isPresent()
            ? type.extras().custom().get().convertForReading(current)
            : EventStrategy.toOwnForm(type, current);
    view.addProperty("kind", type.kind());
    view.addProperty("apiVersion", type.apiVersion());
    return view;
  }

  private JsonObject applied(JsonObject config, JsonObject live) throws StatusException {
    try {
      return FieldOwnerships.findOwnership(type, subresource)
          .applyConfiguration(
              live, config, exchange.query().text("fieldManager"), exchange.query().flag("force"));
    } catch (FieldOwnership.ConflictsException e) {
      throw refusal(e);
    }
  }

  private static StatusException refusal(FieldOwnership.ConflictsException conflicts) {
    return StatusException.applyConflict(
        String.valueOf(conflicts.getMessage()),
        conflicts.conflicts().stream()
            .map(c ->
                new StatusException.StatusCause(
                    "FieldManagerConflict", "conflict with " + c.owner(), c.path()))
            .toList());
  }

  private JsonElement parse(byte[] body, boolean yaml, List<String> complaints)
      throws StatusException {
    String text = new String(body, StandardCharsets.UTF_8);
    try {
      if (yaml && !text.stripLeading().startsWith("{")) {
        String json = YamlBodies.toJson(text, complaints);
        if (!complaints.isEmpty() && exchange.query().text("fieldValidation").equals("Strict")) {
          throw StatusException.badRequest(
              "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  "
                  + String.join("\n  ", complaints));
        }
        return JsonBodies.parse(json, complaints);
      }
      return JsonBodies.parse(text, complaints);
    } catch (BadBodyException e) {
      throw StatusException.badRequest("error decoding patch: " + e.getMessage());
    }
  }

  private static JsonObject requireObject(JsonElement patch) throws StatusException {
    if (!patch.isJsonObject()) {
      throw StatusException.badRequest(
          "error decoding patch: json: cannot unmarshal "
              + (patch.isJsonArray() ? "array" : "value")
              + " into Go value of type map[string]interface {}");
    }
    return patch.getAsJsonObject();
  }

  private JsonObject applyPatch(
      JsonObject current, JsonElement patch, String contentType, List<String> complaints)
      throws StatusException {
    JsonObject view = viewAsType(current);
    JsonElement result =
        switch (contentType) {
          case "application/json-patch+json" -> {
            if (!(patch instanceof JsonArray operations)) {
              throw StatusException.badRequest(
                  "error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch");
            }
            JsonPatches.reportUnknownMembers(operations, complaints);
            yield JsonPatches.apply(view, operations);
          }
          case "application/merge-patch+json" -> JsonPatches.merge(view, requireObject(patch));
          default -> StrategicPatch.merge(view, requireObject(patch), type.schema());
        };
    JsonObject tree = requireObject(result);
    if (tree.isEmpty()) {
      throw missingName();
    }
    if (contentType.equals("application/strategic-merge-patch+json")) {
      tree.addProperty("apiVersion", type.apiVersion());
      tree.addProperty("kind", type.kind()); // the patch is merged into an object that has a kind
    }
    JsonElement kind = tree.get("kind");
    JsonElement version = tree.get("apiVersion");
    if (version == null || version.isJsonNull()) {
      // Kubernetes decodes it as an object of another kind, where it has no fields
      throw missingName();
    }
    if (isOther(kind, type.kind()) || isOther(version, type.apiVersion())) {
      throw StatusException.unreadablePatch("the kind may not change");
    }
    return conform(tree, complaints, false);
  }

  // An omitted value is unchanged.
  private static boolean isOther(@Nullable JsonElement specified, String own) {
    return specified != null && !specified.isJsonNull() && !specified.getAsString().equals(own);
  }

  private StatusException missingName() {
    return StatusException.badRequest(
        "the name of the object ("
            + name
            + " based on URL) was undeterminable: name must be provided");
  }

  // Errors in the result of a patch are reported as errors of the patch.
  private JsonObject conform(JsonObject tree, List<String> complaints, boolean apply)
      throws StatusException {
    JsonObject object;
    try {
      object = RequestBodies.conform(exchange, type, tree, new ArrayList<>(complaints));
    } catch (StatusException unreadable) {
      String why = String.valueOf(unreadable.getMessage());
      throw apply
          ? StatusException.internal("failed to create typed patch object: " + why)
          : StatusException.unreadablePatch(why);
    }
    access.requireNoEscalation(object);
    return object;
  }
}
