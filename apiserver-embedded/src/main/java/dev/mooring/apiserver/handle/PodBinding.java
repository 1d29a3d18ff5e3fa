package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.util.ArrayList;
import java.util.List;

final class PodBinding {
  private PodBinding() {}

  static String getTargetNode(JsonObject binding) throws StatusException {
    String kind = textAt(binding, "target", "kind");
    String node = textAt(binding, "target", "name");
    List<String> errors = new ArrayList<>();
    if (!kind.isEmpty() && !kind.equals("Node")) {
      errors.add(
          "target.kind: Unsupported value: \""
              + kind
              + "\": supported values: \"Node\", \"<empty>\"");
    }
    if (node.isEmpty()) {
      errors.add("target.name: Required value");
    }
    if (!errors.isEmpty()) {
      String message = String.join(", ", errors);
      throw StatusException.internalErrorWithoutReason(
          errors.size() > 1 ? "[" + message + "]" : message);
    }
    return node;
  }

  static void checkPreconditions(StoredObject pod, String name, JsonObject binding)
      throws StatusException {
    String uid = textAt(binding, "metadata", "uid");
    String version = textAt(binding, "metadata", "resourceVersion");
    String podUid = textAt(pod.tree(), "metadata", "uid");
    String mismatch = "";
    if (!uid.isEmpty() && !uid.equals(podUid)) {
      mismatch = "UID in precondition: " + uid + ", UID in object meta: " + podUid;
    } else if (!version.isEmpty() && !version.equals(Long.toString(pod.version()))) {
      mismatch =
          "ResourceVersion in precondition: %s, ResourceVersion in object meta: %s"
              .formatted(version, pod.version());
    }
    if (!mismatch.isEmpty()) {
      throw StatusException.conflict(
          KindCatalogue.PODS,
          name,
          "StorageError: invalid object, Code: 4, Key: /pods/%s, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: %s"
              .formatted(pod.key(), mismatch));
    }
  }

  static JsonObject bind(JsonObject pod, String name, String node, JsonObject binding)
      throws StatusException {
    if (!textAt(pod, "metadata", "deletionTimestamp").isEmpty()) {
      throw makeConflict(name, "pod " + name + " is being deleted, cannot be assigned to a host");
    }
    String boundNode = textAt(pod, "spec", "nodeName");
    if (!boundNode.isEmpty()) {
      throw makeConflict(
          name, "pod " + name + " is already assigned to node \"" + boundNode + "\"");
    }
    if (valueAt(pod, "spec", "schedulingGates") instanceof JsonArray gates && !gates.isEmpty()) {
      throw makeConflict(name, "pod " + name + " has non-empty .spec.schedulingGates");
    }
    getOrAddChild(pod, "spec").addProperty("nodeName", node);
    getOrAddChild(pod, "status").remove("nominatedNodeName");
    for (String metadataField : List.of("annotations", "labels")) {
      if (valueAt(binding, "metadata", metadataField) instanceof JsonObject entries) {
        entries
            .entrySet()
            .forEach(
                e -> getOrAddChild(pod, "metadata", metadataField).add(e.getKey(), e.getValue()));
      }
    }
    StatusConditions.setCondition(pod, "PodScheduled", "True");
    return pod;
  }

  private static StatusException makeConflict(String name, String detail) {
    return StatusException.conflict(KindCatalogue.PODS, "binding", name, detail);
  }
}
