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

class ClaimWorkTest extends ClaimWorkFixture {
  /**
   * The binder removes the finalizer of a finished claim; an unfinished call could create a volume
   * later.
   */
  @Test
  void claim_callRunning_isNotSaved() throws InterruptedException {
    provision(claim);
    assertThat(saved.contains(U)).isTrue();
    storage.plans.add(
        new VolumeService.Plan.Ready(() -> {
          assertThat(saved.contains(U)).as("during the call").isFalse();
          return failure(State.BACKGROUND);
        }));
    provision(claim);
    assertThat(saved.contains(U)).as("the call may be unfinished").isFalse();
    provision(claim);
    assertThat(saved.contains(U)).isTrue();
  }

  @Test
  void claim_provisioned_volumeIsSaved() throws InterruptedException {
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).hasSize(4);
    assertThat(storage.requests.get(0)).startsWith("Provisioning: External provisioner is");
    assertThat(storage.requests.get(1)).isEqualTo("make pvc-u null");
    assertThat(storage.requests.get(2))
        .startsWith("create PersistentVolume")
        .contains("name=pvc-u", "volumeHandle=h", "storageClassName=fast", "uid=u")
        .contains("finalizers=[external-provisioner.volume.kubernetes.io/finalizer]")
        .contains("pv.kubernetes.io/provisioned-by=ours", "mountOptions=[noatime]")
        .contains("persistentVolumeReclaimPolicy=Delete", "volumeMode=Filesystem");
    assertThat(storage.requests.get(3))
        .isEqualTo("ProvisioningSucceeded: Successfully provisioned volume pvc-u");
    assertThat(savedVolume().claimRef()).isEqualTo(new ClaimRef(ProvisionedClaims.CLAIM, U));
    assertThat(memory.unfinishedCalls().find(U)).isEmpty();
    assertThat(stats.listDurations())
        .extracting(OperationStats.Durations::labels)
        .containsExactly(new OperationStats.Labels("fast", "provision", true));
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
  void claim_failedState_determinesUnfinished(
      State state, boolean isUnfinishedFirst, boolean isUnfinishedLater)
      throws InterruptedException {
    storage.results.add(failure(state));
    assertThat(provision(ProvisionedClaims.claim(Map.of(), ""))).isInstanceOf(Outcome.Retry.class);
    assertThat(memory.unfinishedCalls().find(U).isPresent()).isEqualTo(isUnfinishedFirst);
    storage.results.add(failure(State.BACKGROUND));
    provision(claim);
    storage.results.add(failure(state));
    provision(claim);
    assertThat(memory.unfinishedCalls().find(U).isPresent()).isEqualTo(isUnfinishedLater);
    assertThat(storage.requests).contains("ProvisioningFailed: because");
  }

  @Test
  void claim_reschedule_removesSelectedNode() throws InterruptedException {
    Claim placed = ProvisionedClaims.claimWithNote(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failure(State.RESCHEDULE));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).contains("make pvc-u n1");
    assertThat(storage.requests)
        .last()
        .asString()
        .contains("patch PersistentVolumeClaim", "volume.kubernetes.io/selected-node=null");
    storage.results.add(failure(State.RESCHEDULE));
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
    startWork(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    Claim placed = ProvisionedClaims.claimWithNote(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failure(state));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests)
        .last()
        .asString()
        .contains("selected-node=null")
        .contains("finalizers=[other]");
  }

  /**
   * The binder removes the node of the claim first, so that the write of this process conflicts.
   */
  @Test
  void settle_claimWithoutNode_losesOwnFinalizer() throws InterruptedException {
    startWork(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failure(State.RESCHEDULE));
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(provision(ProvisionedClaims.claimWithNote(Map.of(ClaimRules.SELECTED_NODE, "n1"))))
        .isInstanceOf(Outcome.Retry.class);
    Claim withoutNode = server.put(Kind.CLAIM, ProvisionedClaims.claimWithNote(Map.of()));
    storage.requests.clear();
    assertThat(work.settle(withoutNode)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).singleElement().asString().contains("finalizers=[other]");
  }

  @Test
  void infeasibleRequest_repeated_isDelayed() throws InterruptedException {
    startWork(Map.of());
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    assertThat(provision(claim)).isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(5)));
    assertThat(storage.requests)
        .contains(
            "ProvisioningFailed: Volume provisioning failed with infeasible error. Retries will be"
                + " delayed. too odd");
    time.advance(Duration.ofMinutes(2));
    assertThat(provision(claim)).isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(3)));
    assertThat(storage.requests).filteredOn(a -> a.startsWith("make")).hasSize(1);
    // a recreated class of the same name
    work.provision(
        server.put(Kind.CLAIM, claim), ProvisionedClaims.storageClass("ours", false, "s2"));
    assertThat(storage.requests).filteredOn(a -> a.startsWith("make")).hasSize(2);
  }

  /** A rejection does not reveal the outcome of an earlier call. */
  @Test
  void provision_infeasibleAfterUnknownOutcome_keepsFinalizer() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    storage.results.add(failure(State.BACKGROUND));
    provision(plain);
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    storage.requests.clear();
    assertThat(provision(claim)).isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(5)));
    assertThat(storage.requests).noneMatch(a -> a.contains("finalizers=[other]"));
    time.advance(Duration.ofMinutes(1));
    assertThat(provision(ProvisionedClaims.deleted(true)))
        .isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(4)));
    assertThat(storage.requests).noneMatch(a -> a.contains("finalizers=[other]"));
    assertThat(storage.requests.getLast()).contains("the claim stays until the storage reports");
    time.advance(Duration.ofMinutes(5));
    assertThat(provision(ProvisionedClaims.deleted(true))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).anyMatch(a -> a.startsWith("create PersistentVolume"));
    assertThat(storage.requests.getLast()).contains("finalizers=[other]");
  }

  @Test
  void otherNode_afterUnknownOutcome_isAskedForWithTheNoteKept() throws InterruptedException {
    storage.results.add(failure(State.BACKGROUND));
    provision(ProvisionedClaims.claim(Map.of(ClaimRules.SELECTED_NODE, "n1"), ""));
    Claim placed = ProvisionedClaims.claimWithNote(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failure(State.NOT_HERE));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests.getLast())
        .contains("selected-node=null")
        .doesNotContain("finalizers");
  }

  /** The instance on the next node could not find a volume that this one may have created. */
  @Test
  void fullNode_afterUnknownOutcome_keepsTheClaim() throws InterruptedException {
    Claim placed = ProvisionedClaims.claimWithNote(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failure(State.BACKGROUND));
    provision(placed);
    storage.results.add(failure(State.NODE_FULL));
    assertThat(provision(placed)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests).noneMatch(a -> a.contains("selected-node=null"));
  }

  /** A claim must not keep the finalizer if Mooring is uninstalled. */
  @Test
  void infeasibleRequest_rejected_removesFinalizer() throws InterruptedException {
    startWork(Map.of());
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    provision(claim);
    assertThat(storage.requests)
        .last()
        .asString()
        .contains("patch PersistentVolumeClaim", "finalizers=[other]");
    time.advance(Duration.ofMinutes(5));
    storage.requests.clear();
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    provision(plain);
    assertThat(storage.requests.get(0)).contains("finalizers=[" + VolumeService.BEING_MADE + "]");
  }

  @Test
  void infeasibleRequest_conflictOnFinalizer_removesItNextTime() throws InterruptedException {
    startWork(Map.of());
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Conflicted.class);
    time.advance(Duration.ofMinutes(1));
    assertThat(provision(claim)).isEqualTo(new Outcome.CheckAgain(Duration.ofMinutes(4)));
    assertThat(storage.requests).last().asString().contains("finalizers=[other]");
    assertThat(storage.requests).filteredOn(a -> a.startsWith("make")).hasSize(1);
  }

  @Test
  void savedVolume_serverUnreachable_retriesUntilKnown() throws InterruptedException {
    saveVolume();
    server.writes.add(new WriteResult.Unreachable<>("away"));
    server.writes.add(new WriteResult.Unreachable<>("away"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
    assertThat(storage.requests).filteredOn(a -> a.startsWith("ProvisioningSucceeded")).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"ns, claim \"ns/other\"'s", "rival, that of a claim of another namespace"})
  void volumeName_takenByAnotherClaim_isReportedAndRetried(String namespace, String owner)
      throws InterruptedException {
    saveVolume();
    Volume foreignVolume =
        TestObjects.like(savedVolume())
            .claimRef(ObjectKey.of(namespace, "other"), "other-uid")
            .build();
    server.put(Kind.VOLUME, foreignVolume);
    assertThat(provision(claim)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests)
        .filteredOn(a -> a.startsWith("ProvisioningFailed"))
        .singleElement()
        .asString()
        .contains("\"pvc-u\" exists already and is " + owner, "delete that PersistentVolume")
        .doesNotContain("rival");
    assertThat(storage.requests).noneMatch(a -> a.startsWith("ProvisioningSucceeded"));
    assertThat(storage.requests)
        .as("the other volume may represent the same storage")
        .doesNotContain("roll back pvc-u");
    assertThat(memory.unfinishedCalls().find(U)).isPresent();
    server.remove(Kind.VOLUME, foreignVolume.key());
    provision(claim);
    assertThat(storage.requests).filteredOn(a -> a.startsWith("ProvisioningSucceeded")).hasSize(1);
  }

  @Test
  void volumeWrite_conflictWithoutObject_isRetried() throws InterruptedException {
    server.writes.add(new WriteResult.Conflict<>("another client was first"));
    provision(claim);
    assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(1));
    assertThat(savedVolume().source().attributes()).as("at the second attempt").containsValue("h");
  }

  @Test
  void volumeWrite_conflictAndUnreadable_isRetried() throws InterruptedException {
    server.setUnreachable(true);
    server.writes.add(new WriteResult.Conflict<>("another client was first"));
    provision(claim);
    assertThat(savedVolume().source().attributes()).as("at the second attempt").containsValue("h");
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
              storage.requests.add("roll back");
              return storage.destroying;
            });
    saveVolume();
    storage.results.add(unusable);
    assertThat(provision(claim)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests).doesNotContain("roll back");
    server.setUnreachable(true);
    storage.results.add(unusable);
    provision(claim);
    assertThat(storage.requests).doesNotContain("roll back");
    server.setUnreachable(false);
    server.remove(Kind.VOLUME, savedVolume().key());
    storage.results.add(unusable);
    provision(claim);
    assertThat(storage.requests).contains("roll back");
    assertThat(memory.unfinishedCalls().find(U)).as("certainly no volume").isEmpty();
  }

  @Test
  void volumeWrite_rejected_isRolledBack() throws InterruptedException {
    server.writes.add(new WriteResult.Rejected<>(422, "invalid"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests).contains("roll back pvc-u");
    assertThat(storage.requests)
        .filteredOn(a -> a.contains("Error creating provisioned PV object for claim ns/c"))
        .hasSize(1);
    server.writes.add(new WriteResult.Rejected<>(422, "invalid"));
    storage.destroying = new VolumeService.DestroyResult.Failed("stuck");
    provision(claim);
    assertThat(storage.requests).last().asString().startsWith("ProvisioningCleanupFailed");
    assertThat(storage.requests).filteredOn("roll back pvc-u"::equals).hasSize(1 + 5);
    assertThat(time.sleeps()).hasSize(4).allMatch(Duration.ofSeconds(10)::equals);
  }

  @Test
  void volumeWrite_rejectedButSavedBefore_isNotRolledBack() throws InterruptedException {
    saveVolume();
    server.writes.add(new WriteResult.Unreachable<>("response lost"));
    server.writes.add(new WriteResult.Rejected<>(403, "webhook installed in the meantime"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).doesNotContain("roll back pvc-u");
    assertThat(storage.requests).filteredOn(a -> a.startsWith("ProvisioningSucceeded")).hasSize(1);
  }

  @Test
  void volumeWrite_rejectedAndUnreadable_isNotRolledBack() throws InterruptedException {
    server.setUnreachable(true);
    server.writes.add(new WriteResult.Rejected<>(403, "webhook installed in the meantime"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.requests).doesNotContain("roll back pvc-u");
    assertThat(memory.unfinishedCalls().find(U)).isPresent();
  }

  /** After a long outage the retry interval is still seconds, as for other writes. */
  @Test
  void volumeWrite_longOutage_retriesWithinSeconds() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      server.writes.add(new WriteResult.Unreachable<>("away"));
    }
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(time.sleeps()).last().isEqualTo(Outcome.UNANSWERED_LONGEST);
  }

  /** An earlier call may still be unfinished: its state does not change. */
  @Test
  void claim_serverUnreachable_retriesSoonAndReportsOnce() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    for (int i = 0; i < 3; i++) {
      storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
      assertThat(provision(plain)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(storage.requests).containsExactly("ProvisioningFailed: no answer");
    assertThat(memory.unfinishedCalls().find(U)).isEmpty();
    storage.results.add(failure(State.BACKGROUND));
    provision(claim);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(claim)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(memory.unfinishedCalls().find(U)).isPresent();
    assertThat(storage.requests)
        .as("reported again after a known result")
        .filteredOn("ProvisioningFailed: no answer"::equals)
        .hasSize(2);
  }

  @Test
  void claim_planConflicted_isRequeuedWithoutEvent() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    storage.plans.add(new VolumeService.Plan.Conflicted("changed"));
    assertThat(provision(plain)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(storage.requests).isEmpty();
  }

  @Test
  void deletedClaim_planConflictedWithUnfinishedCall_stays() throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Conflicted("changed"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(storage.requests).isEmpty();
  }

  @Test
  void deletedClaim_serverUnreachable_stays() throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.requests)
        .singleElement()
        .asString()
        .startsWith("ProvisioningFailed: no answer; the claim stays until the storage reports");
  }

  @Test
  void deletedClaim_noUnfinishedCall_isReleased() throws InterruptedException {
    storage.results.add(failure(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).last().asString().contains("finalizers=[other]");
  }

  /** The cache may not contain the volume yet, and the volume may already be deleted. */
  @Test
  void unwantedClaim_volumeIsSaved_storageIsNotAskedAgain() throws InterruptedException {
    saveVolume();
    assertThat(provision(ProvisionedClaims.deleted(true))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).noneMatch(a -> a.startsWith("make"));
    assertThat(storage.requests).last().asString().contains("finalizers=[other]");
    assertThat(memory.unfinishedCalls().find(U)).isEmpty();
  }

  @Test
  void claim_leftToPopulator_isNotProvisioned() throws InterruptedException {
    storage.plans.add(new VolumeService.Plan.NotResponsible("left to a volume populator"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).noneMatch(a -> a.startsWith("create"));
  }

  /** The other provisioner of the same name has written the note before its own call. */
  @Test
  void claim_ofOthersWithTheirNote_keepsNote() throws InterruptedException {
    storage.plans.add(new VolumeService.Plan.NotResponsible("team b serves it"));
    assertThat(provision(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).isEmpty();
    assertThat(memory.unfinishedCalls().contains(U)).isFalse();
  }

  @Test
  void claim_ofOthersAfterFailedCall_losesOwnNote() throws InterruptedException {
    startWork(Map.of());
    storage.plans.add(new VolumeService.Plan.NotResponsible("team b serves it"));
    assertThat(provisionCached(server.get(Kind.CLAIM, "ns", "c"))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).singleElement().asString().contains("patch", "finalizers");
    assertThat(ClaimRules.isBeingMade(server.get(Kind.CLAIM, "ns", "c"))).isFalse();
  }

  @Test
  void claim_ofOthersWithCallInDoubt_keepsNoteAndIsReported() throws InterruptedException {
    storage.results.add(failure(State.BACKGROUND));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    storage.requests.clear();
    storage.plans.add(new VolumeService.Plan.NotResponsible("team b serves it"));
    assertThat(provisionCached(server.get(Kind.CLAIM, "ns", "c")))
        .isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.requests)
        .containsExactly(
            "ProvisioningFailed: the claim is left to another provisioner: team b serves it, and an earlier call may have created a volume for the claim");
  }

  /** A claim without a provision call needs no finalizer. */
  @Test
  void claim_notRequestableYet_getsNoFinalizer() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    storage.plans.add(
        new VolumeService.Plan.Blocked(
            new ProvisionResult.Failed(State.UNCHANGED, false, "there is no snapshot ns/s")));
    assertThat(provision(plain)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests).noneMatch(a -> a.startsWith("patch") || a.startsWith("make"));
    assertThat(storage.requests).last().isEqualTo("ProvisioningFailed: there is no snapshot ns/s");
  }

  /** Nothing happens until claim, class or driver change. */
  @Test
  void claim_neverRequestable_isNotRetried() throws InterruptedException {
    storage.plans.add(new VolumeService.Plan.Impossible("claim Selector is not supported"));
    assertThat(provision(ProvisionedClaims.claim(Map.of(), ""))).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.requests)
        .containsExactly("ProvisioningFailed: claim Selector is not supported");
    storage.results.add(failure(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    storage.plans.add(new VolumeService.Plan.Impossible("claim Selector is not supported"));
    assertThat(provision(claim)).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.requests).last().asString().contains("finalizers=[other]");
  }

  /** The driver may have created a volume before it lost a capability. */
  @Test
  void claim_noLongerRequestable_keepsFinalizer() throws InterruptedException {
    storage.plans.add(new VolumeService.Plan.Impossible("the driver knows no such class"));
    assertThat(provision(claim)).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.requests)
        .containsExactly("ProvisioningFailed: the driver knows no such class");
    storage.requests.clear();
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.plans.add(new VolumeService.Plan.Impossible("the driver knows no such class"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.requests)
        .singleElement()
        .asString()
        .startsWith("ProvisioningFailed: the driver knows no such class; the claim stays");
  }
}
