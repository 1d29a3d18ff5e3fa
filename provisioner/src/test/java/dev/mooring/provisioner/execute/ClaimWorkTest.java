package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.testkit.Builders;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** spec/provisioner-lib.md 4 and its cases 3, 8 to 20. */
class ClaimWorkTest extends ClaimWorkFixture {
  /** Whoever binds the claim lets go of it then: a call under way could make a volume again. */
  @Test
  void aClaimIsNotDoneWithWhileTheStorageIsAsked() throws InterruptedException {
    provision(claim);
    assertThat(saved.has(U)).isTrue();
    storage.plans.add(
        new VolumeService.Plan.Ask(() -> {
          assertThat(saved.has(U)).as("while it is asked").isFalse();
          return failed(State.BACKGROUND);
        }));
    provision(claim);
    assertThat(saved.has(U)).as("it may be making it still").isFalse();
    provision(claim);
    assertThat(saved.has(U)).isTrue();
  }

  @Test
  void aVolumeIsMadeAndSaved() throws InterruptedException {
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).hasSize(4);
    assertThat(storage.asked.get(0)).startsWith("Provisioning: External provisioner is");
    assertThat(storage.asked.get(1)).isEqualTo("make pvc-u null");
    assertThat(storage.asked.get(2))
        .startsWith("create PersistentVolume")
        .contains("name=pvc-u", "volumeHandle=h", "storageClassName=fast", "uid=u")
        .contains("finalizers=[external-provisioner.volume.kubernetes.io/finalizer]")
        .contains("pv.kubernetes.io/provisioned-by=ours", "mountOptions=[noatime]")
        .contains("persistentVolumeReclaimPolicy=Delete", "volumeMode=Filesystem");
    assertThat(storage.asked.get(3))
        .isEqualTo("ProvisioningSucceeded: Successfully provisioned volume pvc-u");
    assertThat(made().claimRef()).isEqualTo(new ClaimRef(ProvisionedClaims.CLAIM, U));
    assertThat(work.unfinished(U)).isEmpty();
    assertThat(stats.read())
        .extracting(OperationStats.Durations::sort)
        .containsExactly(new OperationStats.Sort("fast", "provision", true));
  }

  /** Cases 11, 12 and 17: whether the claim is remembered, first and after an earlier try. */
  @ParameterizedTest
  @CsvSource({
    "FINISHED,   false, true",
    "ENDED,      false, true",
    "BACKGROUND, true,  true",
    "UNCHANGED,  false, true",
    "RESCHEDULE, false, true",
    "NOT_HERE,   false, true",
    "NODE_FULL,  false, true",
  })
  void aClaimIsRememberedWhileItsVolumeMayBeBeingMade(State state, boolean first, boolean after)
      throws InterruptedException {
    storage.results.add(failed(state));
    assertThat(provision(ProvisionedClaims.claim(Map.of(), ""))).isInstanceOf(Outcome.Retry.class);
    assertThat(work.unfinished(U).isPresent()).isEqualTo(first);
    storage.results.add(failed(State.BACKGROUND));
    provision(claim);
    storage.results.add(failed(state));
    provision(claim);
    assertThat(work.unfinished(U).isPresent()).isEqualTo(after);
    assertThat(storage.asked).contains("ProvisioningFailed: because");
  }

  @Test
  void anotherNodeIsAskedFor() throws InterruptedException {
    Claim placed = ProvisionedClaims.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failed(State.RESCHEDULE));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("make pvc-u n1");
    assertThat(storage.asked)
        .last()
        .asString()
        .contains("patch PersistentVolumeClaim", "volume.kubernetes.io/selected-node=null");
    storage.results.add(failed(State.RESCHEDULE));
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(provision(placed)).isInstanceOf(Outcome.Retry.class);
  }

  /** The next node's instance is another process, which must not take it for its own. */
  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"NOT_HERE", "NODE_FULL"})
  void aClaimThatIsMadeOnAnotherNodeNoLongerSaysThatItMayBeBeingMade(State state)
      throws InterruptedException {
    begin(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    Claim placed = ProvisionedClaims.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failed(state));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked)
        .last()
        .asString()
        .contains("selected-node=null")
        .contains("finalizers=[other]");
  }

  @Test
  void whatIsInfeasibleIsNotAskedForAgainSoon() throws InterruptedException {
    begin(Map.of());
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    assertThat(provision(claim)).isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(5)));
    assertThat(storage.asked)
        .contains(
            "ProvisioningFailed: Volume provisioning failed with infeasible error. Retries will be"
                + " delayed. too odd");
    time.advance(Duration.ofMinutes(2));
    assertThat(provision(claim)).isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(3)));
    assertThat(storage.asked).filteredOn(a -> a.startsWith("make")).hasSize(1);
    // a class of the same name that was made anew
    work.provision(
        server.put(Kind.CLAIM, claim), ProvisionedClaims.storageClass("ours", false, "s2"));
    assertThat(storage.asked).filteredOn(a -> a.startsWith("make")).hasSize(2);
  }

  /** spec/csi-bridge.md 2.2: what an earlier call came to, a refusal does not tell. */
  @Test
  void infeasibleRequest_afterUnknownOutcome_keepsTheNote() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    storage.results.add(failed(State.BACKGROUND));
    provision(plain);
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    storage.asked.clear();
    assertThat(provision(claim)).isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(5)));
    assertThat(storage.asked).noneMatch(a -> a.contains("finalizers=[other]"));
    time.advance(Duration.ofMinutes(1));
    assertThat(provision(ProvisionedClaims.deleted(true)))
        .isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(4)));
    assertThat(storage.asked).noneMatch(a -> a.contains("finalizers=[other]"));
    assertThat(storage.asked.getLast()).contains("the claim stays until the storage says");
    time.advance(Duration.ofMinutes(5));
    assertThat(provision(ProvisionedClaims.deleted(true))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).anyMatch(a -> a.startsWith("create PersistentVolume"));
    assertThat(storage.asked.getLast()).contains("finalizers=[other]");
  }

  @Test
  void otherNode_afterUnknownOutcome_isAskedForWithTheNoteKept() throws InterruptedException {
    storage.results.add(failed(State.BACKGROUND));
    provision(ProvisionedClaims.claim(Map.of(ClaimRules.SELECTED_NODE, "n1"), ""));
    Claim placed = ProvisionedClaims.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failed(State.NOT_HERE));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked.getLast()).contains("selected-node=null").doesNotContain("finalizers");
  }

  /** The next node's instance would not find what this one may have made. */
  @Test
  void fullNode_afterUnknownOutcome_keepsTheClaim() throws InterruptedException {
    Claim placed = ProvisionedClaims.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failed(State.BACKGROUND));
    provision(placed);
    storage.results.add(failed(State.NODE_FULL));
    assertThat(provision(placed)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).noneMatch(a -> a.contains("selected-node=null"));
  }

  /** Who takes Mooring away finds no claim held for nothing. */
  @Test
  void whatIsInfeasibleHoldsItsClaimNoLonger() throws InterruptedException {
    begin(Map.of());
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    provision(claim);
    assertThat(storage.asked)
        .last()
        .asString()
        .contains("patch PersistentVolumeClaim", "finalizers=[other]");
    time.advance(Duration.ofMinutes(5));
    storage.asked.clear();
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    provision(plain);
    assertThat(storage.asked.get(0)).contains("finalizers=[" + VolumeService.BEING_MADE + "]");
  }

  @Test
  void aClaimThatCouldNotBeLetGoIsLetGoAtTheNextLook() throws InterruptedException {
    begin(Map.of());
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Conflicted.class);
    time.advance(Duration.ofMinutes(1));
    assertThat(provision(claim)).isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(4)));
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
    assertThat(storage.asked).filteredOn(a -> a.startsWith("make")).hasSize(1);
  }

  @Test
  void aVolumeThatExistsIsSavedWhateverItTakes() throws InterruptedException {
    savedBefore();
    server.writes.add(new WriteResult.Unreachable<>("away"));
    server.writes.add(new WriteResult.Unreachable<>("away"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(time.slept()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
    assertThat(storage.asked).filteredOn(a -> a.startsWith("ProvisioningSucceeded")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"ns, claim \"ns/other\"'s", "rival, that of a claim of another namespace"})
  void volumeName_takenByAnotherClaim_isReportedAndRetried(String namespace, String owner)
      throws InterruptedException {
    savedBefore();
    Volume taken =
        Builders.like(made()).claimRef(ObjectKey.of(namespace, "other"), "other-uid").build();
    server.put(Kind.VOLUME, taken);
    assertThat(provision(claim)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked)
        .filteredOn(a -> a.startsWith("ProvisioningFailed"))
        .singleElement()
        .asString()
        .contains("\"pvc-u\" exists already and is " + owner, "delete that PersistentVolume")
        .doesNotContain("rival");
    assertThat(storage.asked).noneMatch(a -> a.startsWith("ProvisioningSucceeded"));
    assertThat(storage.asked)
        .as("the other volume may stand for the same storage")
        .doesNotContain("roll back pvc-u");
    assertThat(work.unfinished(U)).isPresent();
    server.remove(Kind.VOLUME, taken.key());
    provision(claim);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("ProvisioningSucceeded")).hasSize(1);
  }

  @Test
  void aConflictAboutWhatIsNotThereSavesNothing() throws InterruptedException {
    server.writes.add(new WriteResult.Conflict<>("somebody else was first"));
    provision(claim);
    assertThat(time.slept()).containsExactly(Duration.ofSeconds(1));
    assertThat(made().source().attributes()).as("at the second try").containsValue("h");
  }

  @Test
  void aConflictOfWhichNothingIsKnownSavesNothingEither() throws InterruptedException {
    server.mute(true);
    server.writes.add(new WriteResult.Conflict<>("somebody else was first"));
    provision(claim);
    assertThat(made().source().attributes()).as("at the second try").containsValue("h");
  }

  /**
   * The storage was asked once more, for want of an answer of the server, and answers otherwise.
   */
  @Test
  void whatIsSavedIsNotTakenBackForALaterAnswer() throws InterruptedException {
    ProvisionResult.Unusable unusable =
        new ProvisionResult.Unusable(
            "too small",
            () -> {
              storage.asked.add("roll back");
              return storage.destroying;
            });
    savedBefore();
    storage.results.add(unusable);
    assertThat(provision(claim)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).doesNotContain("roll back");
    server.mute(true);
    storage.results.add(unusable);
    provision(claim);
    assertThat(storage.asked).doesNotContain("roll back");
    server.mute(false);
    server.remove(Kind.VOLUME, made().key());
    storage.results.add(unusable);
    provision(claim);
    assertThat(storage.asked).contains("roll back");
    assertThat(work.unfinished(U)).as("certainly nothing is there").isEmpty();
  }

  @Test
  void oneThatTheServerRefusesForGoodIsDestroyedAgain() throws InterruptedException {
    server.writes.add(new WriteResult.Rejected<>(422, "invalid"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).contains("roll back pvc-u");
    assertThat(storage.asked)
        .filteredOn(a -> a.contains("Error creating provisioned PV object for claim ns/c"))
        .hasSize(1);
    server.writes.add(new WriteResult.Rejected<>(422, "invalid"));
    storage.destroying = new VolumeService.Destroying.Failed("stuck");
    provision(claim);
    assertThat(storage.asked).last().asString().startsWith("ProvisioningCleanupFailed");
    assertThat(storage.asked).filteredOn("roll back pvc-u"::equals).hasSize(1 + 5);
    assertThat(time.slept()).hasSize(4).allMatch(Duration.ofSeconds(10)::equals);
  }

  @Test
  void oneThatAnEarlierAttemptSavedAfterAllIsNotDestroyed() throws InterruptedException {
    savedBefore();
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    server.writes.add(new WriteResult.Rejected<>(403, "a webhook that came meanwhile"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).doesNotContain("roll back pvc-u");
    assertThat(storage.asked).filteredOn(a -> a.startsWith("ProvisioningSucceeded")).hasSize(1);
  }

  @Test
  void norOneOfWhichNobodyKnowsWhetherItIsSaved() throws InterruptedException {
    server.mute(true);
    server.writes.add(new WriteResult.Rejected<>(403, "a webhook that came meanwhile"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.asked).doesNotContain("roll back pvc-u");
    assertThat(work.unfinished(U)).isPresent();
  }

  /** A server that was away for long is asked again within seconds, as by everybody else. */
  @Test
  void aVolumeIsSavedSoonAfterTheServerIsBack() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      server.writes.add(new WriteResult.Unreachable<>("away"));
    }
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(time.slept()).last().isEqualTo(Outcome.UNANSWERED_LONGEST);
  }

  /** What was going on before still may: what is remembered stays as it is. */
  @Test
  void whatTheServerDidNotSayIsTriedAgainSoonAndToldOnce() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    for (int i = 0; i < 3; i++) {
      storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
      assertThat(provision(plain)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(storage.asked).containsExactly("ProvisioningFailed: no answer");
    assertThat(work.unfinished(U)).isEmpty();
    storage.results.add(failed(State.BACKGROUND));
    provision(claim);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(work.unfinished(U)).isPresent();
    assertThat(storage.asked)
        .as("told again after it was known")
        .filteredOn("ProvisioningFailed: no answer"::equals)
        .hasSize(2);
  }

  @Test
  void aDeletedClaimStaysWhileTheServerDoesNotSay() throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.asked)
        .singleElement()
        .asString()
        .startsWith("ProvisioningFailed: no answer; the claim stays until the storage says");
  }

  @Test
  void aDeletedClaimForWhichNothingWasBegunGoes() throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
  }

  /** The cache may not have the volume yet, which may be being destroyed by now. */
  @Test
  void unwantedClaim_volumeIsSaved_storageIsNotAskedAgain() throws InterruptedException {
    savedBefore();
    assertThat(provision(ProvisionedClaims.deleted(true))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
    assertThat(work.unfinished(U)).isEmpty();
  }

  @Test
  void whatIsLeftToOthersIsNotTried() throws InterruptedException {
    storage.plans.add(new VolumeService.Plan.Left("a populator does it"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("create"));
  }

  /** A claim that nothing was asked for needs no finalizer. */
  @Test
  void whatCannotBeAskedForLeavesNoNote() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    storage.plans.add(
        new VolumeService.Plan.Not(
            new ProvisionResult.Failed(State.UNCHANGED, false, "there is no snapshot ns/s")));
    assertThat(provision(plain)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("patch") || a.startsWith("make"));
    assertThat(storage.asked).last().isEqualTo("ProvisioningFailed: there is no snapshot ns/s");
  }

  /** Nothing is read or asked again before claim, class or driver change. */
  @Test
  void whatCanNeverBeAskedForIsGivenUp() throws InterruptedException {
    storage.plans.add(new VolumeService.Plan.Never("claim Selector is not supported"));
    assertThat(provision(ProvisionedClaims.claim(Map.of(), ""))).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.asked)
        .containsExactly("ProvisioningFailed: claim Selector is not supported");
    storage.results.add(failed(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    storage.plans.add(new VolumeService.Plan.Never("claim Selector is not supported"));
    assertThat(provision(claim)).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
  }

  /** A driver that can do less now than when it was asked may have made it then. */
  @Test
  void whatCanNoLongerBeAskedForMayBeThereAllTheSame() throws InterruptedException {
    storage.plans.add(new VolumeService.Plan.Never("the driver knows no such class"));
    assertThat(provision(claim)).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.asked).containsExactly("ProvisioningFailed: the driver knows no such class");
    storage.asked.clear();
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Never("the driver knows no such class"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.asked)
        .singleElement()
        .asString()
        .startsWith("ProvisioningFailed: the driver knows no such class; the claim stays");
  }
}
