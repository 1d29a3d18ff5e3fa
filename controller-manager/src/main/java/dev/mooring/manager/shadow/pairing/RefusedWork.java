package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.Kind;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Calls of plugins and detaches that the shadow refused, and volumes that the cluster detached.
 * What its controllers intend afterwards, because the work failed, is no decision about the
 * cluster. Not thread-safe.
 */
final class RefusedWork {
  private final Set<String> calls = new HashSet<>(); // controllers and keys
  private final Set<String> calledKeys = new HashSet<>();
  private final Set<String> detachedKeys = new HashSet<>();

  boolean addCall(ActionOrigin origin) {
    calledKeys.add(origin.key());
    return calls.add(name(origin));
  }

  private static String name(ActionOrigin origin) {
    return origin.controller() + " " + origin.key();
  }

  boolean hasCall(ActionOrigin origin) {
    return calls.contains(name(origin));
  }

  void recordIntent(IntendedWrite write) {
    if (write.decisionClass() == DecisionClass.DETACH) {
      detachedKeys.add(write.origin().key());
    }
  }

  void recordDecision(ActionOrigin origin) {
    if (origin.decision().contains("Detach")) {
      detachedKeys.add(origin.key());
    }
  }

  // Controllers that could not detach a volume take it for attached until it is attached again.
  void recordChange(ObservedChange change) {
    if (!change.kind().equals(Kind.ATTACHMENT.kind())) {
      return;
    }
    if (change.before().isEmpty()) {
      detachedKeys.removeAll(change.reconcileKeys());
    } else if (change.after().isEmpty()) {
      detachedKeys.addAll(change.reconcileKeys());
    }
  }

  boolean hasDetached(Set<String> keys) {
    return keys.stream().anyMatch(detachedKeys::contains);
  }

  /** Returns whether the controller intends the write because its work was refused. */
  boolean isCauseOf(IntendedWrite write) {
    return write.changes().containsValue("Failed") && hasCall(write.origin())
        || write.decisionClass() == DecisionClass.LIST_ATTACHED
            && write.changes().entrySet().stream().allMatch(this::isListedAgain);
  }

  private boolean isListedAgain(Map.Entry<FactKey, String> fact) {
    String property = fact.getKey().property();
    String volume = property.substring(property.indexOf('[') + 1, property.length() - 1);
    return !fact.getValue().isEmpty()
        && (detachedKeys.contains(volume) || calledKeys.contains(volume));
  }
}
