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
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** spec/provisioner-lib.md 4 and its cases 3, 8 to 20. */
class ClaimWorkTest extends ClaimWorkFixture {
  /**
   * The binder removes the finalizer of a finished claim; an unfinished call could create a volume
   * later.
   */
  @Test
  void claim_callRunning_isNotSaved() throws InterruptedException {
    provision(claim);
    assertThat(saved.has(U)).isTrue();
    storage.plans.add(
        new VolumeService.Plan.Ask(() -> {
          assertThat(saved.has(U)).as("during the call").isFalse();
          return failed(State.BACKGROUND);
        }));
    provision(claim);
    assertThat(saved.has(U)).as("the call may be unfinished").isFalse();
    provision(claim);
    assertThat(saved.has(U)).isTrue();
  }

  @Test
  void claim_provisioned_volumeIsSaved() throws InterruptedException {
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
    assertThat(memory.calls().find(U)).isEmpty();
    assertThat(stats.read())
        .extracting(OperationStats.Durations::sort)
        .containsExactly(new OperationStats.Sort("fast", "provision", true));
  }

  /**
   * Cases 11, 12 and 17. Columns: state, whether the claim is unfinished after the first attempt
   * and after a later one.
   */
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
  void claim_failedState_determinesUnfinished(State state, boolean first, boolean after)
      throws InterruptedException {
    storage.results.add(failed(state));
    assertThat(provision(ProvisionedClaims.claim(Map.of(), ""))).isInstanceOf(Outcome.Retry.class);
    assertThat(memory.calls().find(U).isPresent()).isEqualTo(first);
    storage.results.add(failed(State.BACKGROUND));
    provision(claim);
    storage.results.add(failed(state));
    provision(claim);
    assertThat(memory.calls().find(U).isPresent()).isEqualTo(after);
    assertThat(storage.asked).contains("ProvisioningFailed: because");
  }

  @Test
  void claim_reschedule_removesSelectedNode() throws InterruptedException {
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

  /**
   * The process forgets a claim without a node, and the instance on the next node may be another
   * process. Both would treat the finalizer as that of a call whose outcome is unknown.
   */
  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"RESCHEDULE", "NOT_HERE", "NODE_FULL"})
  void claim_otherNode_losesFinalizer(State state) throws InterruptedException {
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
  void infeasibleRequest_repeated_isDelayed() throws InterruptedException {
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
    // a recreated class of the same name
    work.provision(
        server.put(Kind.CLAIM, claim), ProvisionedClaims.storageClass("ours", false, "s2"));
    assertThat(storage.asked).filteredOn(a -> a.startsWith("make")).hasSize(2);
  }

  /** spec/csi-bridge.md 2.2: a rejection does not reveal the outcome of an earlier call. */
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

  /** The instance on the next node could not find a volume that this one may have created. */
  @Test
  void fullNode_afterUnknownOutcome_keepsTheClaim() throws InterruptedException {
    Claim placed = ProvisionedClaims.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failed(State.BACKGROUND));
    provision(placed);
    storage.results.add(failed(State.NODE_FULL));
    assertThat(provision(placed)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).noneMatch(a -> a.contains("selected-node=null"));
  }

  /** A claim must not keep the finalizer if Mooring is uninstalled. */
  @Test
  void infeasibleRequest_rejected_removesFinalizer() throws InterruptedException {
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
  void infeasibleRequest_conflictOnFinalizer_removesItNextTime() throws InterruptedException {
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
  void savedVolume_serverUnreachable_retriesUntilKnown() throws InterruptedException {
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
        TestObjects.like(made()).claimRef(ObjectKey.of(namespace, "other"), "other-uid").build();
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
        .as("the other volume may represent the same storage")
        .doesNotContain("roll back pvc-u");
    assertThat(memory.calls().find(U)).isPresent();
    server.remove(Kind.VOLUME, taken.key());
    provision(claim);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("ProvisioningSucceeded")).hasSize(1);
  }

  @Test
  void volumeWrite_conflictWithoutObject_isRetried() throws InterruptedException {
    server.writes.add(new WriteResult.Conflict<>("another client was first"));
    provision(claim);
    assertThat(time.slept()).containsExactly(Duration.ofSeconds(1));
    assertThat(made().source().attributes()).as("at the second attempt").containsValue("h");
  }

  @Test
  void volumeWrite_conflictAndUnreadable_isRetried() throws InterruptedException {
    server.mute(true);
    server.writes.add(new WriteResult.Conflict<>("another client was first"));
    provision(claim);
    assertThat(made().source().attributes()).as("at the second attempt").containsValue("h");
  }

  /**
   * The call was repeated because the server's response was lost, and the storage answers
   * differently.
   */
  @Test
  void unusableResult_volumeSavedBefore_isNotRolledBack() throws InterruptedException {
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
    assertThat(memory.calls().find(U)).as("certainly no volume").isEmpty();
  }

  @Test
  void volumeWrite_rejected_isRolledBack() throws InterruptedException {
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
  void volumeWrite_rejectedButSavedBefore_isNotRolledBack() throws InterruptedException {
    savedBefore();
    server.writes.add(new WriteResult.Unreachable<>("response lost"));
    server.writes.add(new WriteResult.Rejected<>(403, "webhook installed in the meantime"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).doesNotContain("roll back pvc-u");
    assertThat(storage.asked).filteredOn(a -> a.startsWith("ProvisioningSucceeded")).hasSize(1);
  }

  @Test
  void volumeWrite_rejectedAndUnreadable_isNotRolledBack() throws InterruptedException {
    server.mute(true);
    server.writes.add(new WriteResult.Rejected<>(403, "webhook installed in the meantime"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.asked).doesNotContain("roll back pvc-u");
    assertThat(memory.calls().find(U)).isPresent();
  }

  /** After a long outage the retry interval is still seconds, as for other writes. */
  @Test
  void volumeWrite_longOutage_retriesWithinSeconds() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      server.writes.add(new WriteResult.Unreachable<>("away"));
    }
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(time.slept()).last().isEqualTo(Outcome.UNANSWERED_LONGEST);
  }

  /** An earlier call may still be unfinished: its state does not change. */
  @Test
  void claim_serverUnreachable_retriesSoonAndReportsOnce() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    for (int i = 0; i < 3; i++) {
      storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
      assertThat(provision(plain)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(storage.asked).containsExactly("ProvisioningFailed: no answer");
    assertThat(memory.calls().find(U)).isEmpty();
    storage.results.add(failed(State.BACKGROUND));
    provision(claim);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(memory.calls().find(U)).isPresent();
    assertThat(storage.asked)
        .as("reported again after a known result")
        .filteredOn("ProvisioningFailed: no answer"::equals)
        .hasSize(2);
  }

  @Test
  void deletedClaim_serverUnreachable_stays() throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.asked)
        .singleElement()
        .asString()
        .startsWith("ProvisioningFailed: no answer; the claim stays until the storage says");
  }

  @Test
  void deletedClaim_noUnfinishedCall_isReleased() throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
  }

  /** The cache may not contain the volume yet, and the volume may already be deleted. */
  @Test
  void unwantedClaim_volumeIsSaved_storageIsNotAskedAgain() throws InterruptedException {
    savedBefore();
    assertThat(provision(ProvisionedClaims.deleted(true))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
    assertThat(memory.calls().find(U)).isEmpty();
  }

  @Test
  void claim_leftToPopulator_isNotProvisioned() throws InterruptedException {
    storage.plans.add(new VolumeService.Plan.Left("left to a volume populator"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("create"));
  }

  /** A claim without a provision call needs no finalizer. */
  @Test
  void claim_notRequestableYet_getsNoFinalizer() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    storage.plans.add(
        new VolumeService.Plan.Not(
            new ProvisionResult.Failed(State.UNCHANGED, false, "there is no snapshot ns/s")));
    assertThat(provision(plain)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("patch") || a.startsWith("make"));
    assertThat(storage.asked).last().isEqualTo("ProvisioningFailed: there is no snapshot ns/s");
  }

  /** Nothing happens until claim, class or driver change. */
  @Test
  void claim_neverRequestable_isGivenUp() throws InterruptedException {
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

  /** The driver may have created a volume before it lost a capability. */
  @Test
  void claim_noLongerRequestable_keepsFinalizer() throws InterruptedException {
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
