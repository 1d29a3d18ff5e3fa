package dev.mooring.apiserver.webhook;

import static dev.mooring.apiserver.codec.JsonBodies.newObject;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.model.ResourceType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request that webhooks may change or refuse.
 *
 * @param operation CREATE, UPDATE or DELETE
 * @param target the resource
 * @param object the new object in the form that clients see; null for a deletion
 * @param oldObject the object before, in the same form; null for a creation
 * @param dryRun true if nothing is stored
 */
public record WebhookRequest(
    String operation,
    WebhookTarget target,
    @Nullable JsonObject object,
    @Nullable JsonObject oldObject,
    boolean dryRun,
    RequestOrigin origin) {
  /**
   * The resource that a request addresses.
   *
   * @param subresource "" for the main resource
   * @param namespace "" for none
   * @param name "" if the server generates it
   */
  public record WebhookTarget(
      ResourceType type, String subresource, String namespace, String name) {}

  WebhookRequest withObject(JsonObject newObject) {
    return new WebhookRequest(operation, target, newObject, oldObject, dryRun, origin);
  }

  // the version of the review may be another one than that of the request
  JsonObject toJson(String uid, String version) {
    ResourceType type = target.type();
    JsonObject resource =
        newObject("group", type.group(), "version", type.version(), "resource", type.plural());
    JsonObject kind = makeKind();
    JsonObject requestResource = resource.deepCopy();
    JsonObject requestKind = kind.deepCopy();
    if (!version.equals(type.version())) {
      resource.addProperty("version", version);
      kind.addProperty("version", version);
    }
    JsonObject request = newObject("uid", uid, "kind", kind, "resource", resource);
    addText(request, "subResource", target.subresource());
    request.add("requestKind", requestKind);
    request.add("requestResource", requestResource);
    addText(request, "requestSubResource", target.subresource());
    addText(request, "name", target.name());
    addText(request, "namespace", target.namespace());
    request.addProperty("operation", operation);
    request.add("userInfo", origin.user().describe());
    request.add("object", toVersion(object, version));
    request.add("oldObject", toVersion(oldObject, version));
    request.addProperty("dryRun", dryRun);
    String options = operation.charAt(0) + operation.substring(1).toLowerCase(Locale.ROOT);
    request.add("options", newObject("kind", options + "Options", "apiVersion", "meta.k8s.io/v1"));
    return request;
  }

  private JsonElement toVersion(@Nullable JsonObject shown, String version) {
    if (shown == null || version.equals(target.type().version())) {
      return orNull(shown);
    }
    JsonObject other = shown.deepCopy();
    other.addProperty("apiVersion", target.type().group() + "/" + version);
    return other;
  }

  // An eviction or a binding has another kind than the resource.
  private JsonObject makeKind() {
    ResourceType type = target.type();
    JsonElement kind = object == null ? null : object.get("kind");
    JsonElement version = object == null ? null : object.get("apiVersion");
    if (kind == null || version == null) {
      return newObject("group", type.group(), "version", type.version(), "kind", type.kind());
    }
    String apiVersion = version.getAsString();
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    return newObject("group", group, "version", apiVersion.substring(slash + 1), "kind", kind);
  }

  private static void addText(JsonObject object, String name, String text) {
    if (!text.isEmpty()) {
      object.addProperty(name, text);
    }
  }

  static JsonElement orNull(@Nullable JsonObject object) {
    return object == null ? JsonNull.INSTANCE : object;
  }
}
