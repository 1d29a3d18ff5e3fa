package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.newArray;
import static dev.mooring.apiserver.codec.JsonBodies.newObject;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonObject;
import dev.mooring.apiserver.kinds.rules.LabelSelectors;
import java.util.List;

/** The scheduler's filters: taints, node selectors, required affinity to nodes. */
final class NodeFit {
  private static final String UNSCHEDULABLE = "node.kubernetes.io/unschedulable";

  private final JsonObject node;
  private final JsonObject labels;

  NodeFit(JsonObject node) {
    this.node = node;
    this.labels = getOrAddChild(node.deepCopy(), "metadata", "labels");
  }

  boolean canRun(JsonObject pod) {
    JsonObject selector = newObject("matchLabels", new JsonObject());
    if (valueAt(pod, "spec", "nodeSelector") instanceof JsonObject wanted) {
      selector.add("matchLabels", wanted);
    }
    return areTaintsTolerated(pod)
        && LabelSelectors.isMatching(selector, labels)
        && isSelected(
            valueAt(
                        pod,
                        "spec",
                        "affinity",
                        "nodeAffinity",
                        "requiredDuringSchedulingIgnoredDuringExecution")
                    instanceof JsonObject required
                ? required
                : new JsonObject());
  }

  boolean canReach(JsonObject volume) {
    return isSelected(
        valueAt(volume, "spec", "nodeAffinity", "required") instanceof JsonObject required
            ? required
            : new JsonObject());
  }

  private boolean isSelected(JsonObject selector) {
    List<JsonObject> terms = SimulatedObjects.objectsAt(selector, "nodeSelectorTerms");
    return terms.isEmpty() || terms.stream().anyMatch(this::isTermFulfilled);
  }

  private boolean isTermFulfilled(JsonObject term) {
    JsonObject fields = newObject("matchExpressions", newArray());
    SimulatedObjects.objectsAt(term, "matchFields")
        .forEach(fields.getAsJsonArray("matchExpressions")::add);
    JsonObject names = newObject("metadata.name", textAt(node, "metadata", "name"));
    return LabelSelectors.isMatching(term, labels) && LabelSelectors.isMatching(fields, names);
  }

  private boolean areTaintsTolerated(JsonObject pod) {
    List<JsonObject> tolerations = SimulatedObjects.objectsAt(pod, "spec", "tolerations");
    if (textAt(node, "spec", "unschedulable").equals("true")) {
      JsonObject taint = newObject("key", UNSCHEDULABLE, "effect", "NoSchedule");
      if (tolerations.stream().noneMatch(toleration -> tolerates(toleration, taint))) {
        return false;
      }
    }
    return SimulatedObjects.objectsAt(node, "spec", "taints").stream()
        .filter(taint -> !textAt(taint, "effect").equals("PreferNoSchedule"))
        .allMatch(
            taint -> tolerations.stream().anyMatch(toleration -> tolerates(toleration, taint)));
  }

  static boolean tolerates(JsonObject toleration, JsonObject taint) {
    String key = textAt(toleration, "key");
    String effect = textAt(toleration, "effect");
    boolean isForKey = key.isEmpty() || key.equals(textAt(taint, "key"));
    boolean isForEffect = effect.isEmpty() || effect.equals(textAt(taint, "effect"));
    boolean isForValue =
        textAt(toleration, "operator").equals("Exists")
            || !key.isEmpty() && textAt(toleration, "value").equals(textAt(taint, "value"));
    return isForKey && isForEffect && isForValue;
  }
}
