package dev.mooring.apiserver.handle;

import static dev.mooring.apiserver.codec.JsonBodies.getOrAddChild;
import static dev.mooring.apiserver.codec.JsonBodies.stringsAt;
import static dev.mooring.apiserver.codec.JsonBodies.textAt;
import static dev.mooring.apiserver.codec.JsonBodies.valueAt;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.mooring.apiserver.codec.CanonicalValues;
import dev.mooring.apiserver.kinds.KindCatalogue;
import dev.mooring.apiserver.kinds.model.StatusException;
import dev.mooring.apiserver.store.StoredObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Decides by the status of PodDisruptionBudgets whether a pod may be evicted. No controller
 * maintains that status here: a budget allows no eviction until a client writes its status.
 */
final class DisruptionBudgets {
  private static final String REFUSAL_MESSAGE =
      "Cannot evict pod as it would violate the pod's disruption budget.";

  private final ObjectHandlers handlers;

  DisruptionBudgets(ObjectHandlers handlers) {
    this.handlers = handlers;
  }

  /**
   * Takes one disruption from the budget of the pod.
   *
   * @throws StatusException 429 if the budget allows none
   */
  void chargeEviction(JsonObject pod, boolean dryRun) throws StatusException {
    if (!isProtected(pod)) {
      return;
    }
    List<StoredObject> budgets =
        handlers
            .store(KindCatalogue.BUDGETS)
            .list(textAt(pod, "metadata", "namespace") + "/")
            .objects()
            .stream()
            .filter(budget -> isSelectorMatching(budget.tree(), pod))
            .toList();
    if (budgets.size() > 1) {
      throw StatusException.internalErrorWithoutReason(
          "This pod has more than one PodDisruptionBudget, which the eviction subresource does not"
              + " support.");
    }
    if (budgets.size() == 1 && !isUnhealthyAndEvictable(budgets.getFirst().tree(), pod)) {
      chargeEviction(budgets.getFirst().tree(), pod, dryRun);
    }
  }

  private void chargeEviction(JsonObject budget, JsonObject pod, boolean dryRun)
      throws StatusException {
    String name = textAt(budget, "metadata", "name");
    requireDisruptionAllowed(budget, name);
    if (dryRun) {
      return;
    }
    String podName = textAt(pod, "metadata", "name");
    handlers.update(
        KindCatalogue.BUDGETS,
        textAt(budget, "metadata", "namespace"),
        name,
        WriteOptions.STATUS,
        current -> {
          requireDisruptionAllowed(current, name);
          JsonObject status = getOrAddChild(current, "status");
          status.addProperty("disruptionsAllowed", getNumber(status, "disruptionsAllowed") - 1);
          getOrAddChild(status, "disruptedPods")
              .addProperty(podName, CanonicalValues.formatSeconds(Instant.now()));
          return current;
        });
  }

  // Budgets do not protect a pod that has ended, has not started or is terminating.
  private static boolean isProtected(JsonObject pod) {
    return !List.of("Succeeded", "Failed", "Pending").contains(textAt(pod, "status", "phase"))
        && textAt(pod, "metadata", "deletionTimestamp").isEmpty();
  }

  /**
   * A pod that is not ready may be evicted if the budget's policy allows it or enough other pods
   * are healthy.
   */
  private static boolean isUnhealthyAndEvictable(JsonObject budget, JsonObject pod) {
    if (valueAt(pod, "status", "conditions") instanceof JsonArray conditions) {
      for (JsonElement conditionElement : conditions) {
        JsonObject condition = conditionElement.getAsJsonObject();
        if (textAt(condition, "type").equals("Ready")
            && textAt(condition, "status").equals("True")) {
          return false;
        }
      }
    }
    JsonObject status = getOrAddChild(budget.deepCopy(), "status");
    long desiredHealthy = getNumber(status, "desiredHealthy");
    return textAt(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
        || desiredHealthy > 0 && getNumber(status, "currentHealthy") >= desiredHealthy;
  }

  private static void requireDisruptionAllowed(JsonObject budget, String name)
      throws StatusException {
    JsonObject status = getOrAddChild(budget.deepCopy(), "status");
    if (getNumber(status, "observedGeneration")
        < getNumber(getOrAddChild(budget, "metadata"), "generation")) {
      throw StatusException.tooManyRequests(
          REFUSAL_MESSAGE,
          "The disruption budget " + name + " is still being processed by the server.",
          10);
    }
    long desiredHealthy = getNumber(status, "desiredHealthy");
    long currentHealthy = getNumber(status, "currentHealthy");
    if (getNumber(status, "disruptionsAllowed") == 0) {
      throw StatusException.tooManyRequests(
          REFUSAL_MESSAGE,
          currentHealthy <= desiredHealthy
              ? "The disruption budget "
                  + name
                  + " needs "
                  + desiredHealthy
                  + " healthy pods and has "
                  + currentHealthy
                  + " currently"
              : "The disruption budget " + name + " does not allow evicting pods currently",
          0);
    }
  }

  private static long getNumber(JsonObject object, String field) {
    JsonElement value = valueAt(object, field);
    return value == null ? 0 : value.getAsLong();
  }

  // A missing selector selects no pod; an empty one selects every pod.
  private static boolean isSelectorMatching(JsonObject budget, JsonObject pod) {
    if (!(valueAt(budget, "spec", "selector") instanceof JsonObject selector)) {
      return false;
    }
    JsonObject labels =
        valueAt(pod, "metadata", "labels") instanceof JsonObject l ? l : new JsonObject();
    if (valueAt(selector, "matchLabels") instanceof JsonObject matchLabels) {
      for (Map.Entry<String, JsonElement> label : matchLabels.entrySet()) {
        if (!Objects.equals(labels.get(label.getKey()), label.getValue())) {
          return false;
        }
      }
    }
    if (valueAt(selector, "matchExpressions") instanceof JsonArray expressions) {
      for (JsonElement expression : expressions) {
        if (!isExpressionFulfilled(expression.getAsJsonObject(), labels)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isExpressionFulfilled(JsonObject expression, JsonObject labels) {
    String key = textAt(expression, "key");
    boolean isIn = labels.has(key) && stringsAt(expression, "values").contains(textAt(labels, key));
    return switch (textAt(expression, "operator")) {
      case "In" -> isIn;
      case "NotIn" -> !isIn;
      case "Exists" -> labels.has(key);
      default -> !labels.has(key);
    };
  }
}
