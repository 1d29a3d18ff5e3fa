package dev.mooring.manager.shadow.pairing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.manager.shadow.pairing.PairedDifference.Difference;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.workqueue.ReconcileContext.ActionOrigin;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairingLedgerTest {
  private static final ObjectKey VOLUME = ObjectKey.cluster("v");
  private static final ObjectKey OTHER = ObjectKey.cluster("w");
  private static final ObjectKey CLAIM = ObjectKey.of("default", "c");
  private static final FactKey PHASE = volumeFact(VOLUME, ObjectFacts.PHASE);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final String BINDER = "persistentvolume-binder-controller";

  private final PairingLedger ledger = new PairingLedger(PairingLedger.Periods.DEFAULT);

  private static FactKey volumeFact(ObjectKey volume, String property) {
    return new FactKey(Kind.VOLUME.kind(), volume, property);
  }

  private static FactKey claimFact(String property) {
    return new FactKey(Kind.CLAIM.kind(), CLAIM, property);
  }

  private static IntendedWrite newWrite(
      String key, String decision, long version, Map<FactKey, String> changes) {
    return new IntendedWrite(
        new ActionOrigin(BINDER, key, decision, ""),
        "patch",
        changes.keySet().stream().sorted().toList().getLast().subject(),
        version,
        changes,
        Map.of(),
        Set.of());
  }

  private static ObservedChange newChange(
      ObjectKey volume, long version, Map<FactKey, String> before, Map<FactKey, String> after) {
    return new ObservedChange(
        Kind.VOLUME.kind(), volume, version, before, after, Set.of(volume.toString()), false);
  }

  private static ObservedChange phaseChange(long version, String before, String after) {
    return newChange(VOLUME, version, Map.of(PHASE, before), Map.of(PHASE, after));
  }

  private static Map<FactKey, String> bindingOf(ObjectKey volume) {
    return Map.of(
        volumeFact(volume, ObjectFacts.CLAIM_REF),
        CLAIM + " uid",
        claimFact(ObjectFacts.VOLUME),
        volume.name());
  }

  private static ObservedChange resize(long version) {
    FactKey capacity = volumeFact(VOLUME, "spec.capacity.storage");
    return newChange(VOLUME, version, Map.of(capacity, "1Gi"), Map.of(capacity, "2Gi"));
  }

  private static Map<FactKey, String> with(Map<FactKey, String> facts, FactKey fact, String value) {
    Map<FactKey, String> all = new HashMap<>(facts);
    all.put(fact, value);
    return all;
  }

  private void reconcile(String key, String decision, long nanos) {
    reconcile(new ActionOrigin(BINDER, key, decision, ""), nanos);
  }

  private void reconcile(ActionOrigin origin, long nanos) {
    Object reconcile = new Object();
    ledger.reconcileStarting(reconcile, origin, nanos);
    ledger.reconcileEnded(reconcile, origin, nanos + 1);
  }

  @Test
  void change_asIntended_isEqual() {
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), 0);
    ledger.observe(phaseChange(2, "Pending", "Available"), SECOND / 2);

    assertThat(ledger.tally(DecisionClass.SET_PHASE).equal()).isOne();
    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
  }

  @Test
  void change_asIntendedAfterNotableDelay_isLater() {
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), 0);
    ledger.observe(phaseChange(2, "Pending", "Available"), 5 * SECOND);

    ClassTally tally = ledger.tally(DecisionClass.SET_PHASE);
    assertThat(tally.later()).isOne();
    assertThat(tally.delayPercentile(50)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void change_toOtherValue_isContrary() {
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Released")), 0);
    ledger.observe(phaseChange(2, "Bound", "Failed"), SECOND);

    assertThat(ledger.takeDue(SECOND)).isEmpty(); // not yet confirmed
    assertThat(ledger.takeDue(3 * SECOND))
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.difference()).isEqualTo(Difference.CONTRARY);
          assertThat(finding.facts()).isEqualTo(Map.of(PHASE, "Failed"));
        });
  }

  @Test
  void binding_ofOtherVolume_isContrary() {
    ledger.intend(newWrite(CLAIM.toString(), "Bind", 1, bindingOf(VOLUME)), 0);
    ledger.observe(
        newChange(
            OTHER, 2, Map.of(volumeFact(OTHER, ObjectFacts.PHASE), "Available"), bindingOf(OTHER)),
        SECOND);

    assertThat(ledger.takeDue(3 * SECOND))
        .extracting(PairedDifference::difference)
        .containsExactly(Difference.CONTRARY);
  }

  @Test
  void volume_clusterBindsItToCompetingClaim_isUndecided() {
    ledger.intend(newWrite(CLAIM.toString(), "Bind", 1, bindingOf(VOLUME)), 0);
    reconcile("default/rival", "Wait", 1);
    reconcile("v", "WakeClaim", 1);
    FactKey claimRef = volumeFact(VOLUME, ObjectFacts.CLAIM_REF);
    FactKey volume =
        new FactKey(Kind.CLAIM.kind(), ObjectKey.of("default", "rival"), ObjectFacts.VOLUME);
    Map<FactKey, String> reserved =
        Map.of(claimRef, "default/rival uid", volume, "v", PHASE, "Available");
    Map<FactKey, String> bound = Map.of(claimRef, "default/rival uid", volume, "v", PHASE, "Bound");
    ledger.observe(newChange(VOLUME, 2, Map.of(PHASE, "Available"), reserved), SECOND);
    ledger.observe(newChange(VOLUME, 3, reserved, bound), SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.BIND).undecided()).isOne();
  }

  @Test
  void binding_beforeTheShadowDecided_includesItsLaterWrites() {
    Map<FactKey, String> bound = new HashMap<>(bindingOf(VOLUME));
    bound.put(PHASE, "Bound");
    ledger.observe(newChange(VOLUME, 2, Map.of(PHASE, "Available"), bindingOf(VOLUME)), 0);
    reconcile("v", "WakeClaim", 1);
    ledger.observe(newChange(VOLUME, 3, bindingOf(VOLUME), bound), SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
  }

  @Test
  void newVolumeWithClaim_laterPhase_isPartOfBinding() {
    Map<FactKey, String> bound = new HashMap<>(bindingOf(VOLUME));
    bound.put(PHASE, "Bound");
    ledger.observe(newChange(VOLUME, 2, Map.of(), bindingOf(VOLUME)), 0);
    reconcile("v", "WakeClaim", 1);
    ledger.observe(newChange(VOLUME, 3, bindingOf(VOLUME), bound), SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
  }

  @Test
  void intendedPhase_clusterDeletesObject_isUndecided() {
    ledger.intend(newWrite("v", "Reclaim", 1, Map.of(PHASE, "Released")), 0);
    ledger.observe(newChange(VOLUME, 2, Map.of(PHASE, "Bound"), Map.of()), SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.SET_PHASE).undecided()).isOne();
  }

  @Test
  void intendedFinalizer_clusterDeletesObject_isUndecided() {
    FactKey finalizer = volumeFact(VOLUME, ObjectFacts.finalizer("kubernetes.io/pv-controller"));
    ledger.intend(newWrite("v", "Keep", 1, Map.of(finalizer, "yes")), 0);
    ledger.observe(newChange(VOLUME, 2, Map.of(PHASE, "Released"), Map.of()), SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.PROTECT).undecided()).isOne();
  }

  @Test
  void bindingWrites_inOtherOrder_agree() {
    ledger.intend(newWrite(CLAIM.toString(), "Bind", 1, bindingOf(VOLUME)), 0);
    reconcile("v", "SetPhase", 1);
    Map<FactKey, String> bound = new HashMap<>(bindingOf(VOLUME));
    bound.put(PHASE, "Bound");
    ledger.observe(newChange(VOLUME, 2, Map.of(PHASE, "Available"), bound), SECOND);

    assertThat(ledger.takeDue(3 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.BIND).equal()).isOne();
  }

  @Test
  void change_afterDecisionWithoutIntent_isNotIntended() {
    reconcile("v", "Keep", 0);
    ledger.observe(phaseChange(2, "Bound", "Released"), SECOND);

    assertThat(ledger.takeDue(3 * SECOND))
        .singleElement()
        .satisfies(finding -> {
          assertThat(finding.difference()).isEqualTo(Difference.NOT_INTENDED);
          assertThat(finding.decisions())
              .extracting(ActionOrigin::decision)
              .containsExactly("Keep");
        });
  }

  @Test
  void change_whileTheShadowAwaitsItsCache_isUndecidedForSeconds() {
    reconcile("v", "AwaitCache", 0);
    ledger.observe(phaseChange(2, "Bound", "Released"), SECOND);
    assertThat(ledger.takeDue(4 * SECOND)).isEmpty();

    reconcile("v", "AwaitCache", 4 * SECOND);
    ledger.observe(phaseChange(3, "Released", "Failed"), 10 * SECOND);
    assertThat(ledger.takeDue(13 * SECOND))
        .extracting(PairedDifference::difference)
        .containsExactly(Difference.NOT_INTENDED);
  }

  @Test
  void change_beforeTheShadowDecided_isUndecided() {
    ledger.observe(phaseChange(2, "Bound", "Released"), SECOND);

    assertThat(ledger.takeDue(3 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.SET_PHASE).undecided()).isOne();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void release_afterDeletionOfItsClaim_countsOnceTheShadowHasDecided(boolean isDecided) {
    Map<FactKey, String> binding = bindingOf(VOLUME);
    reconcile("v", "SetPhase", 0);
    ledger.observe(
        new ObservedChange(
            Kind.CLAIM.kind(),
            CLAIM,
            2,
            Map.of(claimFact(ObjectFacts.VOLUME), "v"),
            Map.of(),
            Set.of(CLAIM.toString()),
            false),
        SECOND);
    if (isDecided) {
      reconcile("v", "SetPhase", 2 * SECOND);
    }
    ledger.observe(
        newChange(VOLUME, 3, with(binding, PHASE, "Bound"), with(binding, PHASE, "Released")),
        3 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).hasSize(isDecided ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void release_afterChangeOfAPod_countsOnceTheShadowHasDecided(boolean isDecided) {
    FactKey finalizer = claimFact(ObjectFacts.finalizer("kubernetes.io/pvc-protection"));
    ActionOrigin keep = new ActionOrigin("pvc-protection", CLAIM.toString(), "Keep", "");
    reconcile(keep, 0);
    ledger.podChanged(Set.of(Kind.CLAIM + " " + CLAIM), 2, SECOND);
    if (isDecided) {
      reconcile(keep, 2 * SECOND);
    }
    ledger.observe(
        new ObservedChange(
            Kind.CLAIM.kind(),
            CLAIM,
            3,
            Map.of(finalizer, "yes", claimFact(ObjectFacts.CLASS), "x"),
            Map.of(claimFact(ObjectFacts.CLASS), "x"),
            Set.of(CLAIM.toString()),
            false),
        3 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).hasSize(isDecided ? 1 : 0);
  }

  @Test
  void change_duringReconcile_isUndecided() {
    reconcile("v", "Keep", 0);
    ledger.reconcileStarting(new Object(), new ActionOrigin(BINDER, "v", "", ""), 5);
    ledger.observe(phaseChange(2, "Bound", "Released"), SECOND);

    assertThat(ledger.takeDue(3 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.SET_PHASE).undecided()).isOne();
  }

  @Test
  void difference_olderChangeArrivesLater_isUndecided() {
    reconcile("v", "Keep", 0);
    ledger.observe(phaseChange(10, "Bound", "Released"), SECOND);
    ledger.versionArrived(9); // the cluster's controller may have known this change

    assertThat(ledger.takeDue(3 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.SET_PHASE).undecided()).isOne();
  }

  @Test
  void intent_clusterDoesNothingUntilDeadline_isNotDone() {
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), 0);

    assertThat(ledger.takeDue(119 * SECOND)).isEmpty();
    assertThat(ledger.takeDue(121 * SECOND))
        .extracting(PairedDifference::difference)
        .containsExactly(Difference.NOT_DONE);
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), 122 * SECOND);
    assertThat(ledger.takeDue(900 * SECOND)).as("reported once").isEmpty();
  }

  @Test
  void deadline_clusterIsSlow_isLearnt() {
    for (int i = 0; i < 10; i++) {
      ledger.intend(newWrite("v", "SetPhase", 0, Map.of(PHASE, "Available" + i)), 0);
      ledger.observe(phaseChange(i + 1, "Pending", "Available" + i), 60 * SECOND);
    }
    ledger.intend(newWrite("v", "SetPhase", 99, Map.of(PHASE, "Released")), 0);

    assertThat(ledger.takeDue(299 * SECOND)).isEmpty();
    assertThat(ledger.takeDue(301 * SECOND)).hasSize(1);
  }

  @Test
  void intent_volumeChangesAndLaterDecisionDiffers_isWithdrawn() {
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), 0);
    ledger.observe(resize(2), SECOND);
    reconcile("v", "Keep", 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.SET_PHASE).undecided()).isOne();
  }

  @Test
  void intent_claimIsDeletedAndLaterDecisionDiffers_isWithdrawn() {
    ledger.intend(newWrite(CLAIM.toString(), "Bind", 1, bindingOf(VOLUME)), 0);
    FactKey phase = claimFact(ObjectFacts.PHASE);
    ledger.observe(
        new ObservedChange(
            Kind.CLAIM.kind(), CLAIM, 2, Map.of(phase, "Pending"), Map.of(), Set.of(), false),
        SECOND);
    reconcile(CLAIM.toString(), "Keep", 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
  }

  @Test
  void intent_podOfTheClaimChangesAndLaterDecisionDiffers_isWithdrawn() {
    ledger.intend(newWrite(CLAIM.toString(), "Release", 1, Map.of(claimFact("f"), "")), 0);
    ledger.podChanged(Set.of(Kind.CLAIM + " " + CLAIM), 2, SECOND);
    reconcile(CLAIM.toString(), "Keep", 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
  }

  @Test
  void intent_nothingChangesAndLaterDecisionDiffers_isNotDone() {
    ledger.observe(resize(1), 0);
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), SECOND);
    reconcile("v", "Keep", 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND))
        .extracting(PairedDifference::difference)
        .containsExactly(Difference.NOT_DONE);
  }

  private static final FactKey ATTACHMENT =
      new FactKey(Kind.ATTACHMENT.kind(), VOLUME, ObjectFacts.EXISTS);

  private static IntendedWrite detach() {
    return new IntendedWrite(
        new ActionOrigin(BINDER, "h", "Detach", ""),
        "delete",
        ATTACHMENT.subject(),
        1,
        Map.of(ATTACHMENT, ""),
        Map.of(ATTACHMENT, "yes"),
        Set.of());
  }

  @Test
  void detach_clusterAttachesSinceRefusedAttach_isUndecided() {
    ledger.observe(
        new ObservedChange(
            Kind.ATTACHMENT.kind(),
            VOLUME,
            1,
            Map.of(),
            Map.of(ATTACHMENT, "yes"),
            Set.of("h"),
            false),
        0);
    ledger.intend(
        new IntendedWrite(
            new ActionOrigin(BINDER, "h", "Attach", ""),
            "create",
            ATTACHMENT.subject(),
            0,
            Map.of(ATTACHMENT, "yes"),
            Map.of(),
            Set.of()),
        SECOND);
    ledger.intend(detach(), 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Keep", "Attach"})
  void detach_laterDecisionNeedsTheVolume_isWithdrawn(String decision) {
    ledger.intend(detach(), SECOND);
    reconcile("h", decision, 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.DETACH).undecided()).isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Busy", "Detach", "Hold"})
  void detach_laterDecisionDoesNotNeedTheVolume_isNotDone(String decision) {
    ledger.intend(detach(), SECOND);
    reconcile("h", decision, 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND))
        .extracting(PairedDifference::difference)
        .containsExactly(Difference.NOT_DONE);
  }

  @Test
  void intent_sameDecisionLacksItAfterAChange_isUndecided() {
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), 0);
    ledger.classChanged(2, SECOND);
    reconcile("v", "SetPhase", 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.SET_PHASE).undecided()).isOne();
  }

  @Test
  void intent_sameDecisionLacksItWithoutAChange_isNotDone() {
    ledger.observe(resize(1), 0);
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), SECOND);
    reconcile("v", "SetPhase", 2 * SECOND);

    assertThat(ledger.takeDue(600 * SECOND))
        .extracting(PairedDifference::difference)
        .containsExactly(Difference.NOT_DONE);
  }

  @Test
  void intent_onOutdatedVersion_isIgnored() {
    ledger.observe(phaseChange(5, "Pending", "Available"), 0);
    ledger.intend(newWrite("v", "SetPhase", 4, Map.of(PHASE, "Available")), 1);

    ledger.finish(SECOND);
    assertThat(ledger.takeDue(600 * SECOND)).isEmpty();
    assertThat(ledger.tally(DecisionClass.SET_PHASE).equal()).isZero();
  }

  @Test
  void finish_openIntents_areUndecided() {
    ledger.intend(newWrite("v", "SetPhase", 1, Map.of(PHASE, "Available")), 0);
    ledger.finish(SECOND);

    assertThat(ledger.takeDue(600 * SECOND)).isEqualTo(List.of());
    assertThat(ledger.tally(DecisionClass.SET_PHASE).undecided()).isOne();
  }
}
