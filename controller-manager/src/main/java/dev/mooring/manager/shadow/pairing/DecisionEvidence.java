package dev.mooring.manager.shadow.pairing;

import dev.mooring.model.Kind;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Evidence that a controller of the shadow has decided on the state before a change: it finished a
 * reconcile of the object that started after the previous change of the object and of its
 * counterpart. Not thread-safe.
 */
final class DecisionEvidence {
  private static final int MAX_OTHER_CHANGES = 10_000;
  private static final String AWAITS_CACHE = "AwaitCache";

  private record RunningReconcile(ActionOrigin origin, long startNanos) {}

  private final Duration longestCacheDelay;
  private final Map<Object, RunningReconcile> running = new HashMap<>();

  private final EvidenceTable endedReconciles = new EvidenceTable();

  private record LastChange(long version, long nanos) {}

  private final Map<String, LastChange> lastChanges = new HashMap<>();
  // deletions, and changes of pods by their nodes and claims
  private final Map<String, Long> otherChanges =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MAX_OTHER_CHANGES;
        }
      };
  private @Nullable Long lastClassChange;

  DecisionEvidence(Duration longestCacheDelay) {
    this.longestCacheDelay = longestCacheDelay;
  }

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
    endedReconciles.put(origin, started.startNanos());
    return started.startNanos();
  }

  void recordChange(ObservedChange change, long nanos) {
    if (change.after().isEmpty()) {
      lastChanges.remove(change.target());
      recordOtherChange(change.target(), nanos);
      change.reconcileKeys().forEach(endedReconciles::remove);
    } else {
      lastChanges.put(change.target(), new LastChange(change.version(), nanos));
    }
  }

  void recordOtherChange(String target, long nanos) {
    otherChanges.remove(target); // moves it to the end of the order
    otherChanges.put(target, nanos);
  }

  void forget(String key) {
    endedReconciles.remove(key);
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

  /**
   * Returns whether an object of the decision has changed since the intent, and the controller has
   * then decided again without the write. Without such a change, a missing repetition may be a bug.
   */
  boolean isSuperseded(WriteIntent intent) {
    IntendedWrite write = intent.write();
    return !write.decisionClass().isRepeatedBySlowWork()
        && endedReconciles.find(write.origin().key()).stream()
            .filter(
                reconcile -> reconcile.origin().controller().equals(write.origin().controller()))
            .anyMatch(reconcile -> hasChanged(write, intent.lastNanos(), reconcile.startNanos()));
  }

  boolean isWithdrawn(WriteIntent intent, String laterDecision, long startNanos) {
    IntendedWrite write = intent.write();
    return write.decisionClass().isRepeatedBySlowWork()
        ? write.decisionClass().isRevokedBy(laterDecision)
        : hasChanged(write, intent.lastNanos(), startNanos);
  }

  boolean hasChanged(IntendedWrite write, long after, long before) {
    return Stream.concat(
            Stream.ofNullable(lastClassChange),
            write.readTargets().stream().flatMap(this::changeTimes))
        .anyMatch(change -> change - after > 0 && before - change > 0);
  }

  private Stream<Long> changeTimes(String target) {
    return Stream.concat(
        Stream.ofNullable(lastChanges.get(target)).map(LastChange::nanos),
        Stream.ofNullable(otherChanges.get(target)));
  }

  /**
   * Returns what the shadow decided on the objects before the change; empty if it may not have
   * decided yet.
   */
  List<ActionOrigin> decisionsBefore(
      ObservedChange change, Map<FactKey, String> facts, long nanos) {
    DecisionClass decisionClass = DecisionClass.of(facts);
    Set<String> keys = change.decidingKeys(facts);
    if (isRunning(keys, decisionClass)) {
      return List.of();
    }
    List<ActionOrigin> decisions = new ArrayList<>();
    for (String key : keys) {
      for (EvidenceTable.EndedReconcile reconcile : endedReconciles.find(key)) {
        if (decisionClass.isDecidedBy(reconcile.origin())
            && !isAwaitingCache(reconcile, nanos)
            && isAfterLastChanges(change, reconcile.startNanos())) {
          decisions.add(reconcile.origin());
        }
      }
    }
    return decisions;
  }

  // It decides when its cache has what the API server has, and soon unless a bug prevents it.
  private boolean isAwaitingCache(EvidenceTable.EndedReconcile reconcile, long nanos) {
    return reconcile.origin().decision().equals(AWAITS_CACHE)
        && nanos - reconcile.startNanos() < longestCacheDelay.toNanos();
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
    return linkedTargets(change).stream()
        .flatMap(target -> changeTimes(change.kind(), target))
        .noneMatch(nanos -> startNanos - nanos < 0);
  }

  // a pod concerns few of its node's volumes
  private Stream<Long> changeTimes(String kind, String target) {
    if (!kind.equals(Kind.NODE.kind())) {
      return changeTimes(target);
    }
    LastChange last = lastChanges.get(target);
    return last == null ? Stream.empty() : Stream.of(last.nanos());
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
