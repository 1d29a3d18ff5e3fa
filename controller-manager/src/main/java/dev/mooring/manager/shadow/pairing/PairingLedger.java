package dev.mooring.manager.shadow.pairing;

import dev.mooring.manager.shadow.pairing.PairedDifference.Difference;
import dev.mooring.model.Kind;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Pairs intended writes with observed changes. Counts equal pairs, and returns differences. All
 * times are readings of one monotonic clock in nanoseconds. Not thread-safe.
 */
public final class PairingLedger {
  /**
   * Periods of the pairing.
   *
   * @param notableDelay delay from which an equal decision counts as later
   * @param confirmation time after a difference in which a late watch event can explain it
   * @param minDeadline shortest time that the cluster has to act
   * @param maxDeadline longest time that the cluster has to act
   */
  public record Periods(
      Duration notableDelay, Duration confirmation, Duration minDeadline, Duration maxDeadline) {
    public static final Periods DEFAULT =
        new Periods(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofMinutes(2),
            Duration.ofMinutes(10));
  }

  private static final Duration LONGEST_CACHE_DELAY = Duration.ofSeconds(5);

  private final Periods periods;
  private final IntentTable intents = new IntentTable();
  private final DecisionEvidence evidence;
  private final Map<String, String> agreedVolumes = new HashMap<>(); // by claim
  private final RefusedWork refused = new RefusedWork();
  private final Map<DecisionClass, ClassTally> tallies = new EnumMap<>(DecisionClass.class);
  private final DifferenceCandidates candidates = new DifferenceCandidates();

  public PairingLedger(Periods periods) {
    this.periods = periods;
    this.evidence = new DecisionEvidence(LONGEST_CACHE_DELAY);
  }

  public Periods periods() {
    return periods;
  }

  public Map<DecisionClass, ClassTally> tallies() {
    return Map.copyOf(tallies);
  }

  public ClassTally tally(DecisionClass decisionClass) {
    return tallies.computeIfAbsent(decisionClass, c -> new ClassTally());
  }

  public void reconcileStarting(Object reconcile, ActionOrigin origin, long nanos) {
    evidence.start(reconcile, origin, nanos);
  }

  /**
   * Withdraws intents of the same key that this reconcile did not repeat, because the objects have
   * changed.
   */
  public void reconcileEnded(Object reconcile, ActionOrigin origin, long nanos) {
    long start = evidence.end(reconcile, origin, nanos);
    refused.recordDecision(origin);
    for (WriteIntent intent : intents.openOf(origin)) {
      if (intent.lastNanos() - start < 0
          && !intent.write().origin().decision().equals(origin.decision())
          && evidence.isWithdrawn(intent, origin.decision(), start)) {
        intent.withdraw(nanos);
        intents.end(intent);
      }
    }
  }

  public void countCall(ActionOrigin origin) {
    if (refused.addCall(origin)) {
      tally(DecisionClass.CALL).addUndecided();
    }
  }

  public void intend(IntendedWrite write, long nanos) {
    if (write.target().startsWith(Kind.POD + " ")) {
      countCall(write.origin());
      return;
    }
    refused.recordIntent(write);
    if (write.changes().isEmpty() || evidence.isOutdated(write) || refused.isCauseOf(write)) {
      return;
    }
    if (write.decisionClass() == DecisionClass.BIND) {
      addAgreedVolumes(write.context());
      addAgreedVolumes(write.changes());
    }
    intents.add(write, nanos);
  }

  private void addAgreedVolumes(Map<FactKey, String> facts) {
    facts.forEach((fact, volume) -> {
      if (fact.property().equals(ObjectFacts.VOLUME) && !volume.isEmpty()) {
        agreedVolumes.put(fact.subject(), volume);
      }
    });
  }

  public void observe(ObservedChange change, long nanos) {
    versionArrived(change.version());
    if (change.isBoundFromStart()) {
      addAgreedVolumes(change.after());
    }
    Map<FactKey, String> contrary = new TreeMap<>();
    Map<FactKey, String> notIntended = new TreeMap<>();
    WriteIntent contraryIntent = null;
    Set<WriteIntent> advanced = new LinkedHashSet<>();
    for (Map.Entry<FactKey, String> fact : change.changes().entrySet()) {
      List<WriteIntent> intentsOfFact = intents.find(fact.getKey());
      List<WriteIntent> matching =
          intentsOfFact.stream().filter(intent -> isMatching(intent, fact)).toList();
      List<WriteIntent> openIntents = intentsOfFact.stream().filter(WriteIntent::isOpen).toList();
      if (!matching.isEmpty()) {
        matching.forEach(intent -> intent.meet(fact.getKey()));
        advanced.addAll(matching);
        openIntents.stream().filter(intent -> !matching.contains(intent)).forEach(this::countLoser);
      } else if (isMoot(fact, openIntents, change)) {
        openIntents.forEach(this::countLoser);
        addAgreedVolumes(change.after());
      } else if (!openIntents.isEmpty()) {
        contrary.put(fact.getKey(), fact.getValue());
        contraryIntent = openIntents.getLast();
      } else if (!isPartOfBinding(fact.getKey(), fact.getValue(), change)
          && change.isControllersChange(fact.getKey(), fact.getValue())) {
        notIntended.put(fact.getKey(), fact.getValue());
      }
    }
    advanced.forEach(intent -> countIfMet(intent, nanos));
    if (contraryIntent != null) {
      addContrary(contraryIntent, change, contrary, nanos);
    } else if (!notIntended.isEmpty()) {
      addNotIntended(change, notIntended, nanos);
    }
    recordState(change, nanos);
  }

  private void recordState(ObservedChange change, long nanos) {
    evidence.recordChange(change, nanos);
    refused.recordChange(change);
    if (change.after().isEmpty()) {
      forgetObject(change.target());
    }
  }

  private void forgetObject(String target) {
    agreedVolumes.remove(target);
    intents.open().stream()
        .filter(intent -> intent.write().target().equals(target))
        .forEach(this::countLoser);
  }

  /**
   * Notes the change of a pod.
   *
   * @param users node and claims of the pod, as kind and key
   */
  public void podChanged(Set<String> users, long version, long nanos) {
    versionArrived(version);
    users.forEach(user -> evidence.recordOtherChange(user, nanos));
  }

  public void classChanged(long version, long nanos) {
    versionArrived(version);
    evidence.recordClassChange(nanos);
  }

  /**
   * Notes the version of any object's change. A difference with a later version becomes undecided:
   * the cluster's controllers may have known what the shadow had not received.
   */
  public void versionArrived(long version) {
    candidates.removeLaterThan(version).forEach(this::countUndecided);
  }

  private static boolean isMatching(WriteIntent intent, Map.Entry<FactKey, String> fact) {
    return fact.getValue().equals(intent.write().changes().get(fact.getKey()));
  }

  // The object is gone, or the volume has another claim.
  private static boolean isMoot(
      Map.Entry<FactKey, String> fact, List<WriteIntent> openIntents, ObservedChange change) {
    boolean isGone =
        change.after().isEmpty() && !fact.getKey().property().equals(ObjectFacts.EXISTS);
    return !openIntents.isEmpty() && (isGone || isContest(fact, openIntents, change));
  }

  // Both sides bind the volume, to different claims: the order of claims is no rule.
  private static boolean isContest(
      Map.Entry<FactKey, String> fact, List<WriteIntent> openIntents, ObservedChange change) {
    if (!fact.getKey().property().equals(ObjectFacts.CLAIM_REF)) {
      return false;
    }
    Set<String> winnerKeys = change.decidingKeys(Map.of(fact.getKey(), fact.getValue()));
    return DecisionClass.of(fact.getKey(), fact.getValue()) == DecisionClass.BIND
        && openIntents.stream()
            .allMatch(intent ->
                intent.write().changes().getOrDefault(fact.getKey(), "").contains("/")
                    && !winnerKeys.contains(intent.write().origin().key())
                    && !change.key().toString().equals(intent.write().origin().key()));
  }

  // The cluster did what the shadow intends for another key.
  private void countLoser(WriteIntent intent) {
    intents.forget(intent);
    evidence.forget(intent.write().origin().key()); // it decided on a volume that is gone
    tally(intent.write().decisionClass()).addUndecided();
  }

  // A binding has several writes, and each side may have its own order.
  private boolean isPartOfBinding(FactKey fact, String value, ObservedChange change) {
    boolean isBinding =
        DecisionClass.of(fact, value) == DecisionClass.BIND
            || fact.property().equals("status.capacity.storage");
    return isBinding
        && change.after().entrySet().stream()
            .filter(other -> other.getKey().property().equals(ObjectFacts.VOLUME))
            .anyMatch(
                other -> other.getValue().equals(agreedVolumes.get(other.getKey().subject())));
  }

  private void countIfMet(WriteIntent intent, long nanos) {
    if (intent.isMet() && !intent.isClosed()) {
      countEqual(intent, nanos);
      intents.forget(intent);
    }
  }

  private void countEqual(WriteIntent intent, long nanos) {
    tally(intent.write().decisionClass())
        .addEqual(Duration.ofNanos(nanos - intent.firstNanos()), periods.notableDelay());
    intent.close();
  }

  private void addContrary(
      WriteIntent intent, ObservedChange change, Map<FactKey, String> facts, long nanos) {
    intent.close();
    intents.forget(intent);
    add(
        new PairedDifference(
            Difference.CONTRARY,
            intent.write().decisionClass(),
            Optional.of(intent.write()),
            Optional.of(change),
            List.of(intent.write().origin()),
            facts),
        change,
        nanos);
  }

  private void addNotIntended(ObservedChange change, Map<FactKey, String> facts, long nanos) {
    DecisionClass decisionClass = DecisionClass.of(facts);
    List<ActionOrigin> decisions = evidence.decisionsBefore(change, facts, nanos);
    if (decisions.isEmpty() || refused.isCauseOfAbsence(decisionClass, change, decisions)) {
      tally(decisionClass).addUndecided();
      if (decisionClass == DecisionClass.BIND) {
        addAgreedVolumes(change.after()); // the next writes complete this binding
      }
      return;
    }
    add(
        new PairedDifference(
            Difference.NOT_INTENDED,
            decisionClass,
            Optional.empty(),
            Optional.of(change),
            decisions,
            facts),
        change,
        nanos);
  }

  private void add(PairedDifference finding, ObservedChange change, long nanos) {
    candidates.add(finding, change.version(), nanos);
  }

  public void countUndecided(PairedDifference finding) {
    tally(finding.decisionClass()).addUndecided();
  }

  /**
   * Returns new differences, once. The caller passes those that other actors may have caused to
   * {@link #withdrawForeign}.
   */
  public List<PairedDifference> takeNew() {
    return candidates.takeNew();
  }

  public void withdrawForeign(PairedDifference finding) {
    candidates.remove(finding).forEach(this::countUndecided);
  }

  /**
   * Returns the differences that are due: confirmed, or with a deadline that has passed. The caller
   * passes each to one of the {@code count} methods.
   */
  public List<PairedDifference> takeDue(long nanos) {
    List<PairedDifference> due =
        new ArrayList<>(candidates.removeOlderThan(nanos - periods.confirmation().toNanos()));
    for (WriteIntent intent : intents.open()) {
      Duration deadline =
          tally(intent.write().decisionClass())
              .deadline(periods.minDeadline(), periods.maxDeadline());
      if (nanos - intent.firstNanos() >= deadline.toNanos()) {
        addOverdue(intent, due);
      }
    }
    forgetWithdrawn(nanos);
    return due;
  }

  private void addOverdue(WriteIntent intent, List<PairedDifference> due) {
    intent.close();
    intents.end(intent); // remains known, so that a repetition is not reported again
    if (refused.isCauseOf(intent.write())
        || isFinalizerOfDeletedObject(intent.write())
        || evidence.isSuperseded(intent)) {
      tally(intent.write().decisionClass()).addUndecided();
      return;
    }
    due.add(
        new PairedDifference(
            Difference.NOT_DONE,
            intent.write().decisionClass(),
            Optional.of(intent.write()),
            Optional.empty(),
            List.of(intent.write().origin()),
            valuesBefore(intent.write())));
  }

  // The API server rejects it, also from the cluster's controllers.
  private static boolean isFinalizerOfDeletedObject(IntendedWrite write) {
    return write.decisionClass() == DecisionClass.PROTECT
        && !write.context().isEmpty()
        && write.context().keySet().stream()
            .noneMatch(fact -> fact.property().equals(ObjectFacts.EXISTS));
  }

  private static Map<FactKey, String> valuesBefore(IntendedWrite write) {
    Map<FactKey, String> values = new TreeMap<>();
    write
        .changes()
        .keySet()
        .forEach(fact -> values.put(fact, write.context().getOrDefault(fact, "")));
    return values;
  }

  private void forgetWithdrawn(long nanos) {
    for (WriteIntent intent : intents.withdrawnBefore(nanos - periods.confirmation().toNanos())) {
      countWithdrawn(intent, intent.lastNanos());
      intents.forget(intent);
    }
  }

  private void countWithdrawn(WriteIntent intent, long nanos) {
    if (intent.isPartlyMet()) {
      countEqual(intent, nanos);
    } else {
      tally(intent.write().decisionClass()).addUndecided();
    }
  }

  public void finish(long nanos) {
    candidates.removeAll().forEach(this::countUndecided);
    for (WriteIntent intent : intents.open()) {
      countWithdrawn(intent, nanos);
      intents.forget(intent);
    }
    forgetWithdrawn(nanos + periods.confirmation().toNanos() + 1);
  }

  public void countOnPurpose(PairedDifference finding, String row) {
    tally(finding.decisionClass()).addOnPurpose(row);
  }

  public void countUnexplained(PairedDifference finding) {
    tally(finding.decisionClass()).addUnexplained();
  }
}
