package dev.mooring.apiserver.http.patch;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.handle.FieldOwnerships;
import dev.mooring.apiserver.http.request.RequestTarget;
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.util.List;

final class ApplyConfiguration {
  private ApplyConfiguration() {}

  static JsonObject parse(RequestTarget target, JsonObject patch) throws StatusException {
    JsonObject config = patch.deepCopy();
    String kind = textAt(config, "kind");
    String version = textAt(config, "apiVersion");
    if (kind.isEmpty() || version.isEmpty()) {
      throw makeTypeRefusal(kind, version);
    }
    checkTarget(target, config);
    if (!kind.equals(target.type().kind()) || !version.equals(target.type().apiVersion())) {
      throw makeTypeRefusal(kind, version);
    }
    if (valueAt(config, "metadata", "managedFields") != null) {
      throw StatusException.badRequest("metadata.managedFields must be nil");
    }
    checkFields(target, config);
    return config;
  }

  // The configuration may omit namespace and name.
  private static void checkTarget(RequestTarget target, JsonObject config) throws StatusException {
    String name = textAt(config, "metadata", "name");
    if (!name.isEmpty() && !name.equals(target.name())) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, target.name()));
    }
    String namespace = textAt(config, "metadata", "namespace");
    if (!namespace.isEmpty() && !namespace.equals(target.namespace())) {
      throw StatusException.badRequest(
          "the namespace of the object (%s) does not match the namespace on the request (%s)"
              .formatted(namespace, target.namespace()));
    }
  }

  private static StatusException makeTypeRefusal(String kind, String version) {
    return StatusException.badRequest("invalid object type: " + formatKind(kind, version));
  }

  // Formats a kind like Kubernetes, where the core group is empty.
  private static String formatKind(String kind, String version) {
    return (version.contains("/") ? version : "/" + version) + ", Kind=" + kind;
  }

  private static void checkFields(RequestTarget target, JsonObject config) throws StatusException {
    List<String> errors = FieldOwnerships.findOwnership(target.type(), "").findErrors(config);
    if (!errors.isEmpty()) {
      throw StatusException.internalErrorWithoutReason(
          "failed to create typed patch object ("
              + textAt(config, "metadata", "namespace")
              + "/"
              + target.name()
              + "; "
              + formatKind(target.type().kind(), target.type().apiVersion())
              + "): "
              + (errors.size() == 1
                  ? errors.getFirst()
                  : "errors:\n  " + String.join("\n  ", errors)));
    }
  }

  static JsonObject makeFromScale(ResourceType type, JsonObject scale) {
    JsonObject config = newObject("apiVersion", type.apiVersion(), "kind", type.kind());
    JsonElement replicas = valueAt(scale, "spec", "replicas");
    List<String> path = type.scale().desiredReplicas();
    if (replicas != null) {
      getOrAddChild(config, path.subList(0, path.size() - 1).toArray(String[]::new))
          .add(path.getLast(), replicas);
    }
    return config;
  }

  /** An apply with a uid requires an existing object. */
  static void checkCreation(ResourceType type, String name, JsonObject config)
      throws StatusException {
    String uid = textAt(config, "metadata", "uid");
    if (!uid.isEmpty()) {
      throw StatusException.conflict(
          type,
          name,
          "uid mismatch: the provided object specified uid "
              + uid
              + ", and no existing object was found");
    }
    if (config.get("metadata") instanceof JsonObject metadata) {
      metadata.remove("resourceVersion");
    }
  }
}
