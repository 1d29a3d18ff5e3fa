package dev.mooring.apiserver.admit;

import static dev.mooring.apiserver.codec.JsonBodies.at;
import static dev.mooring.apiserver.codec.JsonBodies.child;
import static dev.mooring.apiserver.codec.JsonBodies.objectOf;
import static dev.mooring.apiserver.codec.JsonBodies.text;

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

  static void create(JsonObject pod) throws StatusException {
    priority(pod);
    tolerations(pod);
    runtime(pod);
  }

  static void update(JsonObject pod, JsonObject old) {
    for (String field : List.of("priority", "preemptionPolicy")) {
      JsonElement was = at(old, "spec", field);
      if (was != null && at(pod, "spec", field) == null) {
        child(pod, "spec").add(field, was);
      }
    }
    tolerations(pod);
  }

  private static StatusException refused(JsonObject pod, String why) {
    return StatusException.forbidden(
        KindCatalogue.PODS, text(pod, "metadata", "name"), why, List.of());
  }

  private static void priority(JsonObject pod) throws StatusException {
    JsonObject spec = child(pod, "spec");
    String name = text(spec, "priorityClassName");
    Integer known = name.isEmpty() ? Integer.valueOf(0) : PRIORITIES.get(name);
    if (known == null) {
      throw refused(pod, "no PriorityClass with name " + name + " was found");
    }
    JsonElement sent = at(spec, "priority");
    if (sent != null && sent.getAsInt() != known) {
      throw refused(
          pod,
          "the integer value of priority (%s) must not be provided in pod spec; priority admission controller computed %s from the given PriorityClass name"
              .formatted(sent.getAsInt(), known));
    }
    spec.addProperty("priority", known);
    if (!spec.has("preemptionPolicy")) {
      spec.addProperty("preemptionPolicy", "PreemptLowerPriority");
    } else if (!text(spec, "preemptionPolicy").equals("PreemptLowerPriority")) {
      throw refused(
          pod,
          "the string value of PreemptionPolicy ("
              + text(spec, "preemptionPolicy")
              + ") must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name");
    }
  }

  // Pods tolerate an unready or unreachable node for five minutes.
  private static void tolerations(JsonObject pod) {
    JsonObject spec = child(pod, "spec");
    JsonArray all = spec.get("tolerations") instanceof JsonArray list ? list : new JsonArray();
    JsonArray more = new JsonArray();
    for (String key : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
      if (!tolerates(all, key)) {
        JsonObject toleration = objectOf("key", key, "operator", "Exists", "effect", "NoExecute");
        toleration.add("tolerationSeconds", new JsonPrimitive(TOLERATED_SECONDS));
        more.add(toleration);
      }
    }
    if (!more.isEmpty()) {
      all.addAll(more);
      spec.add("tolerations", all);
    }
  }

  private static boolean tolerates(JsonArray tolerations, String key) {
    for (JsonElement one : tolerations) {
      JsonObject toleration = one.getAsJsonObject();
      boolean sameKey = List.of("", key).contains(text(toleration, "key"));
      if (sameKey && List.of("", "NoExecute").contains(text(toleration, "effect"))) {
        return true;
      }
    }
    return false;
  }

  private static void runtime(JsonObject pod) throws StatusException {
    String name = text(pod, "spec", "runtimeClassName");
    if (at(pod, "spec", "runtimeClassName") == null) {
      return;
    }
    if (name.isEmpty()) {
      throw StatusException.internal("resource name may not be empty");
    }
    if (name.contains("/") || name.contains("%") || name.equals(".") || name.equals("..")) {
      throw StatusException.internal("invalid resource name \"" + name + "\"");
    }
    throw refused(pod, "pod rejected: RuntimeClass \"" + name + "\" not found");
  }

  /** Without a runtime class, a pod must not set an overhead. */
  static void check(JsonObject pod) throws StatusException {
    if (at(pod, "spec", "overhead") instanceof JsonObject) {
      throw refused(
          pod,
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }
}
