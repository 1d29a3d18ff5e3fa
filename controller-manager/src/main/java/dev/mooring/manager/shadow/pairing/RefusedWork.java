package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.Kind;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Calls of plugins and detaches that the shadow refused, and volumes that the cluster detached.
 * Intents that the controllers have because this work failed are not decisions about the cluster.
 * Not thread-safe.
 */
final class RefusedWork {
  private final Set<String> calls = new HashSet<>(); // controllers and keys
  private final Set<String> calledKeys = new HashSet<>();
  private final Set<String> attachedKeys = new HashSet<>();
  private final Set<String> refusedAttachments = new HashSet<>(); // not deleted since
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
    switch (write.decisionClass()) {
      case DETACH -> detachedKeys.add(write.origin().key());
      case ATTACH -> {
        attachedKeys.add(write.origin().key());
        refusedAttachments.add(write.target());
      }
      default -> {}
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
    if (change.after().isEmpty()) {
      detachedKeys.addAll(change.reconcileKeys());
      refusedAttachments.remove(change.target());
    } else if (change.before().isEmpty()) {
      detachedKeys.removeAll(change.reconcileKeys());
    }
  }

  boolean hasDetached(Set<String> keys) {
    return keys.stream().anyMatch(detachedKeys::contains);
  }

  // A controller intends no such change because its work was refused.
  boolean isCauseOfAbsence(
      DecisionClass decisionClass, ObservedChange change, List<ActionOrigin> decisions) {
    return switch (decisionClass) {
      case ATTACH, DETACH, LIST_ATTACHED ->
          hasDetached(change.reconcileKeys())
              || decisions.stream().anyMatch(this::isAttaching)
              || change.changes().keySet().stream()
                  .anyMatch(fact -> attachedKeys.contains(volumeOf(fact)));
      // a controller stops at the first claim that it cannot create; a pod may need several
      case CREATE_CLAIM ->
          decisions.stream().anyMatch(origin -> origin.decision().equals("CreateClaim"));
      // the growth writes after its reconcile, as slow work
      case GROW -> decisions.stream().anyMatch(o -> o.decision().equals("Grow") || hasCall(o));
      default -> decisions.stream().anyMatch(this::hasCall);
    };
  }

  // Refused slow work has a back-off before it intends the next write.
  private boolean isAttaching(ActionOrigin origin) {
    String decision = origin.decision();
    return decision.contains("Attach")
        || decision.contains("Detach")
        || decision.equals("Busy")
        || hasCall(origin);
  }

  // Returns whether the controller intends the write because its work was refused.
  boolean isCauseOf(IntendedWrite write) {
    return switch (write.decisionClass()) {
      case LIST_ATTACHED ->
          write.changes().entrySet().stream().anyMatch(this::isListedByRefusedWork);
      // the cluster's controllers wait for the attach that was refused here
      case DETACH ->
          refusedAttachments.contains(write.target())
              && write.context().keySet().stream()
                  .noneMatch(fact -> fact.property().equals(ObjectFacts.IS_ATTACHED));
      default -> write.changes().containsValue("Failed") && hasCall(write.origin());
    };
  }

  private boolean isListedByRefusedWork(Map.Entry<FactKey, String> fact) {
    String volume = volumeOf(fact.getKey());
    return calledKeys.contains(volume)
        || (fact.getValue().isEmpty() ? attachedKeys : detachedKeys).contains(volume);
  }

  private static String volumeOf(FactKey fact) {
    String property = fact.property();
    return property.substring(property.indexOf('[') + 1, property.length() - 1);
  }
}
