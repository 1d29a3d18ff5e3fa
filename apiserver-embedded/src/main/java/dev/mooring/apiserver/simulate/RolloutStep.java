package dev.mooring.apiserver.simulate;

import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;
import static dev.mooring.apiserver.simulate.SimulatedObjects.numberAt;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** A change of the size of a ReplicaSet during the rollout of a Deployment. */
record RolloutStep(JsonObject replicaSet, long replicas) {

  /**
   * Returns the next steps.
   *
   * @param current the ReplicaSet with the template of the Deployment
   * @param owned all ReplicaSets of the Deployment, the oldest revision first
   */
  static List<RolloutStep> plan(JsonObject deployment, JsonObject current, List<JsonObject> owned) {
    long desired = numberAt(deployment, "spec", "replicas");
    boolean isRecreated = textAt(deployment, "spec", "strategy", "type").equals("Recreate");
    List<JsonObject> old = owned.stream().filter(set -> set != current).toList();
    long oldPods = sum(old, "status");
    List<RolloutStep> steps = new ArrayList<>();
    long size = numberAt(current, "spec", "replicas");
    long newSize = Math.min(size, desired);
    if (isRecreated) {
      newSize = oldPods == 0 ? desired : newSize;
    } else if (size < desired) {
      long allowed = desired + countSurge(deployment) - size - sum(old, "spec");
      newSize = Math.min(desired, size + Math.max(0, allowed));
    }
    if (newSize != size) {
      steps.add(new RolloutStep(current, newSize));
    }
    long removable = isRecreated ? Long.MAX_VALUE : countRemovable(deployment, current, old);
    for (JsonObject set : old) {
      long removed = Math.min(removable, numberAt(set, "spec", "replicas"));
      if (removed > 0) {
        steps.add(new RolloutStep(set, numberAt(set, "spec", "replicas") - removed));
        removable -= removed;
      }
    }
    return steps;
  }

  private static long countRemovable(
      JsonObject deployment, JsonObject current, List<JsonObject> old) {
    long needed = numberAt(deployment, "spec", "replicas") - countUnavailable(deployment);
    long starting =
        numberAt(current, "spec", "replicas") - numberAt(current, "status", "availableReplicas");
    long size = numberAt(current, "spec", "replicas") + sum(old, "spec");
    return Math.max(0, size - needed - starting);
  }

  private static long sum(List<JsonObject> sets, String part) {
    return sets.stream().mapToLong(set -> numberAt(set, part, "replicas")).sum();
  }

  private static long countSurge(JsonObject deployment) {
    return resolve(deployment, "maxSurge", true);
  }

  /** Returns how many pods of the Deployment may be unavailable. */
  static long countUnavailable(JsonObject deployment) {
    if (textAt(deployment, "spec", "strategy", "type").equals("Recreate")) {
      return 0;
    }
    long count = resolve(deployment, "maxUnavailable", false);
    return count == 0 && countSurge(deployment) == 0 ? 1 : count;
  }

  private static long resolve(JsonObject deployment, String name, boolean isRoundedUp) {
    JsonElement value = valueAt(deployment, "spec", "strategy", "rollingUpdate", name);
    if (value == null) {
      return 0;
    }
    if (!value.getAsString().endsWith("%")) {
      return value.getAsLong();
    }
    long percent = Long.parseLong(value.getAsString().replace("%", ""));
    long hundredths = percent * numberAt(deployment, "spec", "replicas");
    return isRoundedUp ? Math.ceilDiv(hundredths, 100) : hundredths / 100;
  }
}
