package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.Kind;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Evidence that a controller of the shadow has decided on the state before a change: it finished a
 * reconcile of the object that started after the previous change of the object and of its
 * counterpart. Not thread-safe.
 */
final class DecisionEvidence {
  private record RunningReconcile(ActionOrigin origin, long startNanos) {}

  private final Map<Object, RunningReconcile> running = new HashMap<>();

  private final EvidenceTable ended = new EvidenceTable();

  private record LastChange(long version, long nanos) {}

  private final Map<String, LastChange> lastChanges = new HashMap<>();
  private @Nullable Long lastClassChange;

  void start(Object reconcile, ActionOrigin origin, long nanos) {
    running.put(reconcile, new RunningReconcile(origin, nanos));
  }

  /**
   * Returns the start of the reconcile in nanoseconds; the end if the start is unknown.
   *
   * @param origin origin at the end, with the decision
   */
  long end(Object reconcile, ActionOrigin origin, long nanos) {
    RunningReconcile started = running.remove(reconcile);
    if (started == null) {
      return nanos;
    }
    ended.put(origin, started.startNanos());
    return started.startNanos();
  }

  void recordChange(ObservedChange change, long nanos) {
    if (change.after().isEmpty()) {
      lastChanges.remove(change.target());
      change.reconcileKeys().forEach(ended::remove);
    } else {
      lastChanges.put(change.target(), new LastChange(change.version(), nanos));
    }
  }

  void forget(String key) {
    ended.remove(key);
  }

  void recordClassChange(long nanos) {
    lastClassChange = nanos;
  }

  boolean isOutdated(IntendedWrite write) {
    LastChange lastChange = lastChanges.get(write.target());
    return lastChange != null
        && (write.version() == 0
            ? write.action().equals("create")
            : write.version() < lastChange.version());
  }

  // The controller has decided again later, and did not repeat the write.
  boolean isSuperseded(WriteIntent intent) {
    IntendedWrite write = intent.write();
    LastChange lastChange = lastChanges.get(write.target());
    return lastChange != null
        && !write.decisionClass().isRepeatedBySlowWork()
        && ended.find(write.origin().key()).stream()
            .filter(
                reconcile -> reconcile.origin().controller().equals(write.origin().controller()))
            .anyMatch(reconcile ->
                reconcile.startNanos() - lastChange.nanos() > 0
                    && reconcile.startNanos() - intent.lastNanos() > 0);
  }

  /**
   * Returns what the shadow decided on the objects before the change; empty if it may not have
   * decided yet.
   */
  List<ActionOrigin> decisionsBefore(ObservedChange change, Map<FactKey, String> facts) {
    DecisionClass decisionClass = DecisionClass.of(facts);
    Set<String> keys = change.decidingKeys(facts);
    if (isRunning(keys, decisionClass)) {
      return List.of();
    }
    List<ActionOrigin> decisions = new ArrayList<>();
    for (String key : keys) {
      for (EvidenceTable.EndedReconcile reconcile : ended.find(key)) {
        if (decisionClass.isDecidedBy(reconcile.origin())
            && isAfterLastChanges(change, reconcile.startNanos())) {
          decisions.add(reconcile.origin());
        }
      }
    }
    return decisions;
  }

  private boolean isRunning(Set<String> keys, DecisionClass decisionClass) {
    return running.values().stream()
        .map(RunningReconcile::origin)
        .anyMatch(origin ->
            keys.contains(origin.key()) && decisionClass.isDecidedBy(origin.controller()));
  }

  private boolean isAfterLastChanges(ObservedChange change, long startNanos) {
    if (lastClassChange != null && startNanos - lastClassChange < 0) {
      return false;
    }
    for (String target : linkedTargets(change)) {
      LastChange lastChange = lastChanges.get(target);
      if (lastChange != null && startNanos - lastChange.nanos() < 0) {
        return false;
      }
    }
    return true;
  }

  private static Set<String> linkedTargets(ObservedChange change) {
    Set<String> targets = new TreeSet<>();
    targets.add(change.target());
    change
        .after()
        .forEach((fact, value) -> {
          if (fact.property().equals(ObjectFacts.VOLUME)) {
            targets.add(fact.subject());
            targets.add(Kind.VOLUME + " " + value);
          }
        });
    return targets;
  }
}
