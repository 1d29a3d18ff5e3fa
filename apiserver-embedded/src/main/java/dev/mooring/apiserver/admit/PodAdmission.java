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
import dev.mooring.apiserver.kinds.model.ResourceType;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.Store;
import dev.mooring.apiserver.store.StoredObject;
import java.util.List;
import java.util.function.Function;

final class PodAdmission {
  private static final int TOLERATED_SECONDS = 300;

  private PodAdmission() {}

  static void mutateCreate(JsonObject pod, Function<ResourceType, Store> stores)
      throws StatusException {
    new PodPriority(stores.apply(KindCatalogue.PRIORITY_CLASSES)).setPriority(pod);
    addTolerations(pod);
    setRuntimeClass(pod, stores.apply(KindCatalogue.RUNTIME_CLASSES));
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

  static StatusException makeRefusal(JsonObject pod, String detail) {
    return StatusException.forbidden(
        KindCatalogue.PODS, textAt(pod, "metadata", "name"), detail, List.of());
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

  private static void setRuntimeClass(JsonObject pod, Store classes) throws StatusException {
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
    StoredObject runtimeClass = classes.get(name);
    if (runtimeClass == null) {
      throw makeRefusal(pod, "pod rejected: RuntimeClass \"" + name + "\" not found");
    }
    JsonElement overhead = valueAt(runtimeClass.tree(), "overhead", "podFixed");
    JsonElement sentOverhead = valueAt(pod, "spec", "overhead");
    if (overhead != null && sentOverhead != null && !overhead.equals(sentOverhead)) {
      throw makeRefusal(
          pod, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
    }
    if (overhead != null) {
      getOrAddChild(pod, "spec").add("overhead", overhead.deepCopy());
    }
  }

  /** Without a runtime class, a pod must not set an overhead. */
  static void checkOverhead(JsonObject pod) throws StatusException {
    if (textAt(pod, "spec", "runtimeClassName").isEmpty()
        && valueAt(pod, "spec", "overhead") instanceof JsonObject) {
      throw makeRefusal(
          pod,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }
}
