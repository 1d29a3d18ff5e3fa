package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.VersionBumper;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeMode;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The finalizer that marks claims with a possibly unfinished provision call. */
class ClaimNotesTest extends ClaimWorkFixture {
  private static Claim finalized(String... finalizers) {
    Claim claim = ProvisionedClaims.claim(Map.of(), "");
    return claim.withMeta(claim.meta().withFinalizers(List.of(finalizers)));
  }

  /** The writer does not matter: the watch event may precede the response. */
  @Test
  void differInNoteOnly_otherChange_isFalse() {
    Claim claim = finalized("other");
    Claim claimWithNote = finalized("other", VolumeService.BEING_MADE);
    assertThat(ClaimNotes.differInNoteOnly(claim, claimWithNote)).isTrue();
    assertThat(ClaimNotes.differInNoteOnly(claimWithNote, claim)).isTrue();
    assertThat(ClaimNotes.differInNoteOnly(claim, claim))
        .as("same version with a change that the cache does not show")
        .isFalse();
    assertThat(ClaimNotes.differInNoteOnly(claim, finalized(VolumeService.BEING_MADE)))
        .as("the other finalizer changed too")
        .isFalse();
  }

  /** A user bound the claim to another volume; an earlier process may have created one for it. */
  @Test
  void claimBoundElsewhere_earlierProcessMayHaveProvisioned_isFinished()
      throws InterruptedException {
    Claim boundClaim = ProvisionedClaims.boundTo("disk");
    assertThat(provision(boundClaim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).contains("make pvc-u null");
    assertThat(storage.requests).anyMatch(a -> a.startsWith("create PersistentVolume"));
    assertThat(storage.requests).last().asString().contains("finalizers=[other]");
  }

  @Test
  void claimBoundElsewhere_nothingUnfinished_isReleased() throws InterruptedException {
    storage.results.add(failure(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    storage.requests.clear();
    assertThat(provision(ProvisionedClaims.boundTo("disk"))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).singleElement().asString().contains("finalizers=[other]");
  }

  /** The cache shows the finalizer until the watch event of the deletion. */
  @Test
  void releasedClaim_staleCache_causesNoCall() throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    provision(deleted);
    storage.requests.clear();
    server.remove(Kind.CLAIM, deleted.key());
    provisionCached(deleted);
    provisionCached(deleted);
    assertThat(storage.requests).hasSize(2).allMatch(a -> a.contains("finalizers=[other]"));
    work.forgetDeleted(U);
    server.remove(Kind.VOLUME, ObjectKey.cluster("pvc-u"));
    storage.requests.clear();
    provision(deleted);
    assertThat(storage.requests).as("no state remains").anyMatch(a -> a.startsWith("make"));
  }

  @Test
  void blockClaim_withoutBlockSupport_isRejected() throws InterruptedException {
    Claim block = ProvisionedClaims.claim(Map.of(), "", VolumeMode.BLOCK);
    assertThat(provision(block)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests)
        .containsExactly("ProvisioningFailed: ours does not support block volume provisioning");
    storage.block = true;
    provision(block);
    assertThat(storage.requests).contains("make pvc-u null");
  }

  @Test
  void claim_beforeCall_getsFinalizer() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    provision(plain);
    assertThat(storage.requests.get(0))
        .contains("patch PersistentVolumeClaim", "finalizers=[" + VolumeService.BEING_MADE + "]")
        .contains("resourceVersion=1");
    assertThat(storage.requests.get(2)).startsWith("make");
    storage.requests.clear();
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(provision(plain)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(storage.requests).noneMatch(a -> a.startsWith("make"));
  }

  @Test
  void boundClaim_settle_removesFinalizer() throws InterruptedException {
    assertThat(settle(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).as("the claim is about to be bound").isEmpty();
    assertThat(settle(ProvisionedClaims.bound())).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).singleElement().asString().contains("finalizers=[other]");
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(settle(ProvisionedClaims.bound())).isInstanceOf(Outcome.Conflicted.class);
  }

  /** A volume that an earlier process may have created is found, saved and thereby deleted. */
  @Test
  void deletedClaim_ofEarlierProcess_isFinished() throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).anyMatch(a -> a.startsWith("create PersistentVolume"));
    assertThat(storage.requests).last().asString().contains("finalizers=[other]");
  }

  @ParameterizedTest
  @CsvSource({
    "FINISHED,   false",
    "ENDED,      false",
    "RESCHEDULE, false",
    "NOT_HERE,   false",
    "NODE_FULL,  false",
    "BACKGROUND, false",
    "UNCHANGED,  false",
  })
  void deletedClaim_ofEarlierProcessAndCallFails_stays(State state, boolean isReleased)
      throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.results.add(failure(state));
    assertReleased(isReleased, provision(deleted));
  }

  /** Another call could create a volume for a claim that is about to be gone. */
  @Test
  void deletedClaim_ofThisProcess_isReleasedUnlessCallIsUnfinished() throws InterruptedException {
    storage.results.add(failure(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.requests.clear();
    assertReleased(true, provision(deleted));
    assertThat(storage.requests).noneMatch(a -> a.startsWith("make"));
    storage.requests.clear();
    provision(deleted); // the cache is stale
    assertThat(storage.requests).noneMatch(a -> a.startsWith("make"));
    work.forget(U);
    storage.results.add(failure(State.BACKGROUND));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    storage.results.add(failure(State.BACKGROUND));
    assertReleased(false, provision(deleted));
  }

  private void assertReleased(boolean isReleased, Outcome outcome) {
    assertThat(outcome.equals(Outcome.SETTLED)).isEqualTo(isReleased);
    assertThat(storage.requests.getLast().contains("finalizers=[other]")).isEqualTo(isReleased);
    if (!isReleased) {
      assertThat(storage.requests.getLast())
          .startsWith("ProvisioningFailed: because; the claim stays until the storage reports");
    }
  }

  @Test
  void deletedClaim_withoutFinalizer_causesNoCall() throws InterruptedException {
    assertThat(provision(ProvisionedClaims.deleted(false))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).isEmpty();
  }

  /** A stale cache may show a finalizer that is gone; then nothing would protect the claim. */
  @Test
  void finalizer_possiblyRemoved_isWrittenBeforeCall() throws InterruptedException {
    startWork(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    Claim placed = ProvisionedClaims.claimWithNote(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failure(State.NOT_HERE));
    server.writes.add(new WriteResult.Unreachable<>("response lost"));
    assertThat(provision(placed)).isInstanceOf(Outcome.Retry.class);
    storage.requests.clear();
    server.writes.add(new WriteResult.Conflict<>("stale cache"));
    assertThat(provision(placed)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(storage.requests).noneMatch(a -> a.startsWith("make"));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).contains("make pvc-u n1");
  }

  /** Whether the finalizer was written or not: no provision call followed. */
  @Test
  void deletedClaim_finalizerWriteUnanswered_isReleased() throws InterruptedException {
    server.writes.add(new WriteResult.Unreachable<>("response lost"));
    assertThat(provision(ProvisionedClaims.claim(Map.of(), "")))
        .isInstanceOf(Outcome.Unanswered.class);
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.results.add(failure(State.ENDED));
    assertReleased(true, provision(deleted));
  }

  /** A finalizer that the stale cache still shows is not from an earlier process. */
  @Test
  void finalizer_removalUnanswered_staysOfThisProcess() throws InterruptedException {
    Claim plain = server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), ""));
    storage.plans.add(
        new VolumeService.Plan.Ready(() -> {
          server.writes.add(new WriteResult.Unreachable<>("response lost"));
          return new ProvisionResult.Failed(State.FINISHED, true, "too odd");
        }));
    assertThat(provisionCached(plain)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(provisionCached(plain)).as("unchanged").isInstanceOf(Outcome.CheckAgain.class);
    time.advance(Duration.ofMinutes(10));
    storage.requests.clear();
    assertReleased(true, provision(ProvisionedClaims.deleted(true)));
    assertThat(storage.requests).noneMatch(a -> a.startsWith("make"));
  }

  /** A late write of an earlier process may remove the finalizer during the provision call. */
  @Test
  void finalizer_ofEarlierProcess_isConfirmedBeforeCall() throws InterruptedException {
    Claim claimWithNote = ProvisionedClaims.claimWithNote(Map.of());
    server.versionWrites.add(new WriteResult.Unreachable<>("no answer"));
    assertThat(provision(claimWithNote)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.requests).isEmpty();
    storage.results.add(failure(State.BACKGROUND));
    provision(claimWithNote);
    assertThat(storage.requests).contains("make pvc-u null");
    assertThat(server.versions).as("failed write, successful write, final write").isEqualTo(3);
    provision(claimWithNote);
    assertThat(server.versions).as("no further write").isEqualTo(3);
  }

  /** The process that wrote the annotation was killed before it could remove it. */
  @Test
  void versionMark_finalizerRemoved_isRemovedToo() throws InterruptedException {
    Claim claimWithNote = ProvisionedClaims.claimWithNote(Map.of(VersionBumper.VERSION_MARK, "x"));
    storage.results.add(failure(State.ENDED));
    provision(claimWithNote);
    storage.requests.clear();
    Claim deleted = ProvisionedClaims.deleted(true, Map.of(VersionBumper.VERSION_MARK, "x"));
    provision(deleted);
    assertThat(storage.requests.getLast())
        .contains("finalizers=[other]", VersionBumper.VERSION_MARK + "=null");
  }

  @Test
  void finalizer_removedInTheMeantime_endsWork() throws InterruptedException {
    server.put(Kind.CLAIM, ProvisionedClaims.deleted(false));
    assertThat(provisionCached(ProvisionedClaims.deleted(true))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).isEmpty();
    assertThat(memory.unfinishedCalls().find(U)).isEmpty();
  }

  /** The client that removed the finalizer accepted that a volume may leak. */
  @Test
  void goneClaim_withFinalizerOfEarlierProcess_causesNoCall() throws InterruptedException {
    assertThat(provisionCached(ProvisionedClaims.claimWithNote(Map.of())))
        .isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).isEmpty();
    assertThat(memory.unfinishedCalls().find(U)).isEmpty();
  }

  /**
   * Simulates a finalizer from an earlier process that this process has not confirmed: a late write
   * may remove it.
   */
  private void startWithInheritedNote(Map<String, String> annotations, State state)
      throws InterruptedException {
    storage.plans.add(
        new VolumeService.Plan.Blocked(new ProvisionResult.Failed(state, false, "not yet")));
    provision(ProvisionedClaims.claimWithNote(annotations));
    assertThat(memory.unfinishedCalls().find(U)).isPresent();
    storage.requests.clear();
  }

  @Test
  void inheritedNote_takenByItsOwner_isWrittenBeforeTheStorageIsAsked()
      throws InterruptedException {
    startWithInheritedNote(Map.of(), State.FINISHED);
    provision(ProvisionedClaims.claim(Map.of(), ""));
    assertThat(storage.requests.getFirst())
        .contains("finalizers=[" + VolumeService.BEING_MADE + "]");
    assertThat(storage.requests).contains("make pvc-u null");
  }

  @Test
  void inheritedNote_takenByItsOwner_letsADeletedClaimGoUnasked() throws InterruptedException {
    startWithInheritedNote(Map.of(), State.FINISHED);
    assertThat(provision(ProvisionedClaims.deleted(false))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).isEmpty();
    assertThat(memory.unfinishedCalls().find(U)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FINISHED", "RESCHEDULE"})
  void inheritedNote_goneWithItsClaim_isForgotten(State state) throws InterruptedException {
    server.writes.add(new WriteResult.Unreachable<>("response lost"));
    startWithInheritedNote(Map.of(ClaimRules.SELECTED_NODE, "n1"), state);
    work.forgetDeleted(U);
    assertThat(memory.unfinishedCalls().find(U)).isEmpty();
  }

  @Test
  void keptNote_goneWithItsClaim_isRemembered() throws InterruptedException {
    storage.results.add(failure(State.ENDED));
    provision(ProvisionedClaims.claimWithNote(Map.of()));
    work.forgetDeleted(U);
    assertThat(memory.unfinishedCalls().find(U)).isPresent();
  }

  /** A write to a claim of the same name with another UID would always be rejected. */
  @Test
  void finalizer_claimWithOtherUid_isNotWritten() throws InterruptedException {
    Claim claimWithNote = ProvisionedClaims.claimWithNote(Map.of());
    storage.results.add(failure(State.BACKGROUND));
    provision(ProvisionedClaims.claim(Map.of(), "")); // the finalizer is from this process
    work.forgetDeleted(U);
    server.versionWrites.add(new WriteResult.Conflict<>("another UID"));
    storage.requests.clear();
    provisionCached(claimWithNote);
    assertThat(storage.requests).contains("make pvc-u null");
  }

  /** An admission policy may reject unknown annotations. */
  @Test
  void finalizer_confirmationRejected_callsAnyway() throws InterruptedException {
    server.versionWrites.add(new WriteResult.Rejected<>(403, "unknown annotation"));
    provision(ProvisionedClaims.claimWithNote(Map.of()));
    assertThat(storage.requests).contains("make pvc-u null");
  }

  /** The scheduler has to select another node first. */
  @Test
  void unfinishedCall_claimWithoutNode_isRemembered() throws InterruptedException {
    Claim placed = ProvisionedClaims.claim(Map.of(ClaimRules.SELECTED_NODE, "n1"), "");
    storage.results.add(failure(State.BACKGROUND));
    provision(placed);
    storage.results.add(failure(State.RESCHEDULE));
    server.writes.add(new WriteResult.Unreachable<>("response lost"));
    provision(ProvisionedClaims.claimWithNote(Map.of(ClaimRules.SELECTED_NODE, "n1")));
    settle(ProvisionedClaims.claimWithNote(Map.of()));
    storage.requests.clear();
    storage.results.add(failure(State.BACKGROUND));
    assertReleased(false, provision(ProvisionedClaims.deleted(true)));
  }

  /** The cached claim does not have the finalizer, but the write may still arrive. */
  @Test
  void finalizer_writeUnanswered_isRememberedWithoutCall() throws InterruptedException {
    server.writes.add(new WriteResult.Unreachable<>("response lost"));
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    assertThat(provision(plain)).isInstanceOf(Outcome.Unanswered.class);
    storage.plans.add(new VolumeService.Plan.Impossible("no class"));
    assertThat(provision(plain)).isInstanceOf(Outcome.GiveUp.class);
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.results.add(failure(State.ENDED));
    assertReleased(true, provision(deleted));
  }

  /**
   * The write that removes the finalizer may still arrive. It carries a resource version, so it
   * conflicts after another change.
   */
  @Test
  void finalizer_removalPending_isRemovedBeforeRewritten() throws InterruptedException {
    startWork(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    Claim placed = ProvisionedClaims.claimWithNote(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failure(State.NOT_HERE));
    server.writes.add(new WriteResult.Unreachable<>("response lost"));
    assertThat(provision(placed)).isInstanceOf(Outcome.Retry.class);
    storage.requests.clear();
    provision(placed);
    assertThat(storage.requests)
        .filteredOn(asked -> asked.contains("finalizers="))
        .extracting(asked -> asked.contains(VolumeService.BEING_MADE))
        .startsWith(false, true);
  }

  /** The storage rejected the request, and a conflict kept the finalizer: no call is unfinished. */
  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FINISHED", "ENDED", "UNCHANGED", "RESCHEDULE", "NOT_HERE", "NODE_FULL"})
  void deletedClaim_conflictOnFinalizer_isReleasedNextTime(State state)
      throws InterruptedException {
    storage.results.add(failure(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.results.add(failure(state));
    server.writes.add(new WriteResult.Conflict<>("conflict with pvc-protection"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.Conflicted.class);
    storage.requests.clear();
    storage.results.add(failure(state));
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests)
        .as("no further call")
        .singleElement()
        .asString()
        .contains("finalizers=[other]");
  }
}
