package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import java.util.List;
import java.util.Map;

final class PodAdmission {
  private static final int TOLERATED_SECONDS = 300;

  private static final Map<String, Integer> PRIORITIES =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

  private PodAdmission() {}

  static void mutateCreate(JsonObject pod) throws StatusException {
    setPriority(pod);
    addTolerations(pod);
    checkRuntimeClass(pod);
  }

  static void mutateUpdate(JsonObject pod, JsonObject old) {
    for (String field : List.of("priority", "preemptionPolicy")) {
      JsonElement oldValue = valueAt(old, "spec", field);
      if (oldValue != null && valueAt(pod, "spec", field) == null) {
        getOrAddChild(pod, "spec").add(field, oldValue);
      }
    }
    addTolerations(pod);
  }

  private static StatusException makeRefusal(JsonObject pod, String detail) {
    return StatusException.forbidden(
        KindCatalogue.PODS, textAt(pod, "metadata", "name"), detail, List.of());
  }

  private static void setPriority(JsonObject pod) throws StatusException {
    JsonObject spec = getOrAddChild(pod, "spec");
    String name = textAt(spec, "priorityClassName");
    Integer priority = name.isEmpty() ? Integer.valueOf(0) : PRIORITIES.get(name);
    if (priority == null) {
      throw makeRefusal(pod, "no PriorityClass with name " + name + " was found");
    }
    JsonElement sentPriority = valueAt(spec, "priority");
    if (sentPriority != null && sentPriority.getAsInt() != priority) {
      throw makeRefusal(
          pod,
          "the integer value of priority (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
              .formatted(sentPriority.getAsInt(), priority));
    }
    spec.addProperty("priority", priority);
    if (!spec.has("preemptionPolicy")) {
      spec.addProperty("preemptionPolicy", "PreemptLowerPriority");
    } else if (!textAt(spec, "preemptionPolicy").equals("PreemptLowerPriority")) {
      throw makeRefusal(
          pod,
          "the string value of PreemptionPolicy ("
              + textAt(spec, "preemptionPolicy")
              + ") must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name");
    }
  }

  // Pods tolerate an unready or unreachable node for five minutes.
  private static void addTolerations(JsonObject pod) {
    JsonObject spec = getOrAddChild(pod, "spec");
    JsonArray tolerations =
        spec.get("tolerations") instanceof JsonArray list ? list : new JsonArray();
    JsonArray addedTolerations = new JsonArray();
    for (String key : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
      if (!isTolerated(tolerations, key)) {
        JsonObject toleration = newObject("key", key, "operator", "Exists", "effect", "NoExecute");
        toleration.add("tolerationSeconds", new JsonPrimitive(TOLERATED_SECONDS));
        addedTolerations.add(toleration);
      }
    }
    if (!addedTolerations.isEmpty()) {
      tolerations.addAll(addedTolerations);
      spec.add("tolerations", tolerations);
    }
  }

  private static boolean isTolerated(JsonArray tolerations, String key) {
    for (JsonElement element : tolerations) {
      JsonObject toleration = element.getAsJsonObject();
      boolean hasKey = List.of("", key).contains(textAt(toleration, "key"));
      if (hasKey && List.of("", "NoExecute").contains(textAt(toleration, "effect"))) {
        return true;
      }
    }
    return false;
  }

  private static void checkRuntimeClass(JsonObject pod) throws StatusException {
    String name = textAt(pod, "spec", "runtimeClassName");
    if (valueAt(pod, "spec", "runtimeClassName") == null) {
      return;
    }
    if (name.isEmpty()) {
      throw StatusException.internalErrorWithoutReason("resource name may not be empty");
    }
    if (name.contains("/") || name.contains("%") || name.equals(".") || name.equals("..")) {
      throw StatusException.internalErrorWithoutReason("invalid resource name \"" + name + "\"");
    }
    throw makeRefusal(pod, "pod rejected: RuntimeClass \"" + name + "\" not found");
  }

  /** Without a runtime class, a pod must not set an overhead. */
  static void checkOverhead(JsonObject pod) throws StatusException {
    if (valueAt(pod, "spec", "overhead") instanceof JsonObject) {
      throw makeRefusal(
          pod,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }
}
