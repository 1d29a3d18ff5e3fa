package dev.mooring.apiserver.http.patch;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
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
import dev.mooring.apiserver.kinds.model.FieldErrors;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.patch.JsonPatches;
import dev.mooring.apiserver.store.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

public final class PatchHandler {
  private static final String APPLY_TYPE = "application/apply-patch+yaml";
  private static final List<String> PATCH_TYPES =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          APPLY_TYPE);

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
    WriteOptions options = RequestBodies.readOptions(exchange, subresource).asPatch();
    String contentType = requireContentType();
    AnswerForm form = AnswerForm.negotiate(exchange.getAccept(), type);
    byte[] body = exchange.readBody();
    List<String> fieldErrors = new ArrayList<>();
    boolean isApply = contentType.equals(APPLY_TYPE);
    checkOptions(isApply);
    JsonElement patch = parsePatch(body, isApply, fieldErrors);
    if (subresource.equals("scale")) {
      if (isApply) {
        applyScale(ApplyConfiguration.makeFromScale(type, requireObject(patch)), options);
      } else {
        ScaleHandler.patch(
            handlers, exchange, target, scale -> patchScale(scale, patch, contentType));
      }
      return;
    }
    boolean isMissing =
        isApply && handlers.store(type).get(ObjectHandlers.makeKey(type, namespace, name)) == null;
    StoredObject result =
        isApply
            ? applyToObject(requireObject(patch), isMissing, options, fieldErrors)
            : handlers.update(
                type,
                namespace,
                name,
                options,
                current -> applyPatch(current, patch, contentType, fieldErrors));
    type.strategy().findWarnings(result.tree()).forEach(exchange::addWarning);
    exchange.sendAnswer(
        isMissing ? 201 : 200,
        form.encoding().type(),
        AnswerEncoder.encodeObject(type, result, form, exchange.query().getText("includeObject")));
  }

  private String requireContentType() throws StatusException {
    String contentType = exchange.contentType();
    if (!PATCH_TYPES.contains(contentType)) {
      throw StatusException.unsupportedPatch();
    }
    if (type.isCustom() && contentType.startsWith("application/strategic")) {
      throw StatusException.unsupportedCustomPatch();
    }
    return contentType;
  }

  private StoredObject applyToObject(
      JsonObject patch, boolean isMissing, WriteOptions options, List<String> fieldErrors)
      throws IOException, StatusException {
    JsonObject config = ApplyConfiguration.parse(target, patch);
    if (!isMissing || !options.subresource().isEmpty()) {
      return handlers.update(
          type,
          namespace,
          name,
          options.withManager(WriteOptions.OWNERSHIP_COMPUTED),
          current -> conform(applyConfiguration(config, toTypeView(current)), fieldErrors, true));
    }
    if (textAt(config, "metadata", "name").isEmpty()) {
      throw makeMissingName();
    }
    access.requireCreate();
    ApplyConfiguration.checkCreation(type, name, config);
    JsonObject conformed =
        conform(
            applyConfiguration(config, FieldOwnerships.findOwnership(type, "").emptyObject()),
            fieldErrors,
            true);
    JsonBodies.getOrAddChild(conformed, "metadata").addProperty("name", name);
    return handlers.create(
        type, namespace, conformed, options.withManager(WriteOptions.OWNERSHIP_COMPUTED));
  }

  private void applyScale(JsonObject config, WriteOptions options)
      throws IOException, StatusException {
    StoredObject result =
        handlers.update(
            type,
            namespace,
            name,
            options.withManager(WriteOptions.OWNERSHIP_COMPUTED),
            current -> applyConfiguration(config, toTypeView(current)));
    ScaleHandler.sendScale(exchange, type, result);
  }

  private static JsonObject patchScale(JsonObject scale, JsonElement patch, String contentType)
      throws StatusException {
    return contentType.equals("application/json-patch+json")
        ? requireObject(JsonPatches.apply(scale, requireOperations(patch)))
        : JsonPatches.merge(scale, requireObject(patch));
  }

  private void checkOptions(boolean isApply) throws StatusException {
    FieldErrors errors = new FieldErrors();
    if (isApply && exchange.query().getText("fieldManager").isEmpty()) {
      errors.addRequired("fieldManager", "is required for apply patch");
    }
    if (!isApply && exchange.query().has("force")) {
      errors.addForbidden("force", "may not be specified for non-apply patch");
    }
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", "PatchOptions", "", errors.getCauses());
    }
  }

  private JsonObject toTypeView(JsonObject current) {
    JsonObject view =
        type.extras().custom().isPresent()
            ? type.extras().custom().get().convertForReading(current)
            : type.strategy().toServedForm(current);
    view.addProperty("kind", type.kind());
    view.addProperty("apiVersion", type.apiVersion());
    return view;
  }

  private JsonObject applyConfiguration(JsonObject config, JsonObject live) throws StatusException {
    try {
      return FieldOwnerships.findOwnership(type, subresource)
          .applyConfiguration(
              live,
              config,
              exchange.query().getText("fieldManager"),
              exchange.query().getFlag("force"));
    } catch (FieldOwnership.ConflictsException e) {
      throw makeConflict(e);
    }
  }

  private static StatusException makeConflict(FieldOwnership.ConflictsException conflicts) {
    return StatusException.applyConflict(
        String.valueOf(conflicts.getMessage()),
        conflicts.conflicts().stream()
            .map(c ->
                new StatusException.StatusCause(
                    "FieldManagerConflict", "conflict with " + c.owner(), c.path()))
            .toList());
  }

  private JsonElement parsePatch(byte[] body, boolean isYaml, List<String> fieldErrors)
      throws StatusException {
    String text = new String(body, StandardCharsets.UTF_8);
    try {
      if (isYaml && !text.stripLeading().startsWith("{")) {
        String json = YamlBodies.toJson(text, fieldErrors);
        if (!fieldErrors.isEmpty()
            && exchange.query().getText("fieldValidation").equals("Strict")) {
          throw StatusException.badRequest(
              "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  "
                  + String.join("\n  ", fieldErrors));
        }
        return JsonBodies.parse(json, fieldErrors);
      }
      return JsonBodies.parse(text, fieldErrors);
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

  private static JsonArray requireOperations(JsonElement patch) throws StatusException {
    if (patch instanceof JsonArray operations) {
      return operations;
    }
    throw StatusException.badRequest(
        "error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  }

  private JsonObject applyPatch(
      JsonObject current, JsonElement patch, String contentType, List<String> fieldErrors)
      throws StatusException {
    JsonObject view = toTypeView(current);
    JsonElement result =
        switch (contentType) {
          case "application/json-patch+json" -> {
            JsonArray operations = requireOperations(patch);
            JsonPatches.reportUnknownMembers(operations, fieldErrors);
            yield JsonPatches.apply(view, operations);
          }
          case "application/merge-patch+json" -> JsonPatches.merge(view, requireObject(patch));
          default -> StrategicPatch.merge(view, requireObject(patch), type.schema());
        };
    JsonObject tree = requireObject(result);
    if (tree.isEmpty()) {
      throw makeMissingName();
    }
    if (contentType.equals("application/strategic-merge-patch+json")) {
      tree.addProperty("apiVersion", type.apiVersion());
      tree.addProperty("kind", type.kind()); // the patch is merged into an object that has a kind
    }
    JsonElement kind = tree.get("kind");
    JsonElement version = tree.get("apiVersion");
    if (version == null || version.isJsonNull()) {
      // Kubernetes decodes it as an object of another kind, where it has no fields
      throw makeMissingName();
    }
    if (isOther(kind, type.kind()) || isOther(version, type.apiVersion())) {
      throw StatusException.unreadablePatch("the kind may not change");
    }
    return conform(tree, fieldErrors, false);
  }

  // An omitted value is unchanged.
  private static boolean isOther(@Nullable JsonElement specified, String current) {
    return specified != null
        && !specified.isJsonNull()
        && !specified.equals(new JsonPrimitive(current));
  }

  private StatusException makeMissingName() {
    return StatusException.badRequest(
        "the name of the object ("
            + name
            + " based on URL) was undeterminable: name must be provided");
  }

  // Errors in the result of a patch are reported as errors of the patch.
  private JsonObject conform(JsonObject tree, List<String> fieldErrors, boolean isApply)
      throws StatusException {
    JsonObject object;
    try {
      object = RequestBodies.conform(exchange, type, tree, new ArrayList<>(fieldErrors));
    } catch (StatusException refusal) {
      String detail = String.valueOf(refusal.getMessage());
      throw isApply
          ? StatusException.internalErrorWithoutReason(
              "failed to create typed patch object: " + detail)
          : StatusException.unreadablePatch(detail);
    }
    access.requireNoEscalation(object);
    return object;
  }
}
