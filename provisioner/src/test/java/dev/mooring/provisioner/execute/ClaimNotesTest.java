package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.VersionMark;
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

/** What claims say of volumes that may be being made for them, and when they no longer do. */
class ClaimNotesTest extends ClaimWorkFixture {
  private static Claim finalized(String... finalizers) {
    Claim claim = ProvisionedClaims.claim(Map.of(), "");
    return claim.with(claim.meta().withFinalizers(List.of(finalizers)));
  }

  /** Who wrote it does not matter: the watch may tell of it before its answer comes. */
  @Test
  void thatOnlyTheNoteDiffersIsTold() {
    Claim claim = finalized("other");
    Claim noted = finalized("other", VolumeService.BEING_MADE);
    assertThat(ClaimNotes.differInNoteOnly(claim, noted)).isTrue();
    assertThat(ClaimNotes.differInNoteOnly(noted, claim)).isTrue();
    assertThat(ClaimNotes.differInNoteOnly(claim, claim))
        .as("something has changed that no cache shows")
        .isFalse();
    assertThat(ClaimNotes.differInNoteOnly(claim, finalized(VolumeService.BEING_MADE)))
        .as("something else went as it came")
        .isFalse();
  }

  /** Somebody bound it to another volume, while an earlier life may have made one for it. */
  @Test
  void whatWasMadeForAClaimThatGotAnotherVolumeIsFound() throws InterruptedException {
    Claim elsewhere = ProvisionedClaims.boundTo("disk");
    assertThat(provision(elsewhere)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("make pvc-u null");
    assertThat(storage.asked).anyMatch(a -> a.startsWith("create PersistentVolume"));
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
  }

  @Test
  void nothingIsMadeForAClaimThatGotAnotherVolume() throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    storage.asked.clear();
    assertThat(provision(ProvisionedClaims.boundTo("disk"))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).singleElement().asString().contains("finalizers=[other]");
  }

  /** The cache shows its finalizer until it is told that the claim is gone. */
  @Test
  void aClaimThatWasLetGoIsNotAskedAboutAgainBeforeItIsGone() throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    provision(deleted);
    storage.asked.clear();
    server.remove(Kind.CLAIM, deleted.key());
    provisionCached(deleted);
    provisionCached(deleted);
    assertThat(storage.asked).hasSize(2).allMatch(a -> a.contains("finalizers=[other]"));
    work.gone(U);
    server.remove(Kind.VOLUME, ObjectKey.cluster("pvc-u"));
    storage.asked.clear();
    provision(deleted);
    assertThat(storage.asked).as("nothing is kept of it").anyMatch(a -> a.startsWith("make"));
  }

  @Test
  void blockVolumesOnlyWhereTheyAreMade() throws InterruptedException {
    Claim block = ProvisionedClaims.claim(Map.of(), "", VolumeMode.BLOCK);
    assertThat(provision(block)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked)
        .containsExactly("ProvisioningFailed: ours does not support block volume provisioning");
    storage.block = true;
    provision(block);
    assertThat(storage.asked).contains("make pvc-u null");
  }

  @Test
  void theClaimSaysThatItsVolumeIsBeingMadeBeforeItIs() throws InterruptedException {
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    provision(plain);
    assertThat(storage.asked.get(0))
        .contains("patch PersistentVolumeClaim", "finalizers=[" + VolumeService.BEING_MADE + "]")
        .contains("resourceVersion=1");
    assertThat(storage.asked.get(2)).startsWith("make");
    storage.asked.clear();
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(provision(plain)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
  }

  @Test
  void aClaimIsReleasedWhenItIsBound() throws InterruptedException {
    assertThat(settle(claim)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).as("somebody is binding it").isEmpty();
    assertThat(settle(ProvisionedClaims.bound())).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).singleElement().asString().contains("finalizers=[other]");
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(settle(ProvisionedClaims.bound())).isInstanceOf(Outcome.Conflicted.class);
  }

  /** What an earlier life of the process may have made is found, saved, and so destroyed. */
  @Test
  void aDeletedClaimThatSaysSoIsMadeOnceMore() throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).anyMatch(a -> a.startsWith("create PersistentVolume"));
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
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
  void aDeletedClaimThatAnEarlierLifeHasNotedStaysWhateverIsRefused(State state, boolean goes)
      throws InterruptedException {
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.results.add(failed(state));
    assertGoes(goes, provision(deleted));
  }

  /** Asked once more, the storage might make a volume for a claim that is about to be gone. */
  @Test
  void oneThatThisLifeHasNotedGoesUnaskedUnlessACallIsInDoubt() throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.asked.clear();
    assertGoes(true, provision(deleted));
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
    storage.asked.clear();
    provision(deleted); // as the cache shows it still
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
    work.forget(U);
    storage.results.add(failed(State.BACKGROUND));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    storage.results.add(failed(State.BACKGROUND));
    assertGoes(false, provision(deleted));
  }

  private void assertGoes(boolean goes, Outcome outcome) {
    assertThat(outcome.equals(Outcome.SETTLED)).isEqualTo(goes);
    assertThat(storage.asked.getLast().contains("finalizers=[other]")).isEqualTo(goes);
    if (!goes) {
      assertThat(storage.asked.getLast())
          .startsWith("ProvisioningFailed: because; the claim stays until the storage says");
    }
  }

  @Test
  void nothingIsBegunForAClaimThatIsBeingDeleted() throws InterruptedException {
    assertThat(provision(ProvisionedClaims.deleted(false))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).isEmpty();
  }

  /** The cache may show a note that is gone: then nothing would hold the claim any more. */
  @Test
  void aNoteThatMayBeGoneIsWrittenAnewBeforeTheStorageIsAsked() throws InterruptedException {
    begin(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    Claim placed = ProvisionedClaims.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failed(State.NOT_HERE));
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    assertThat(provision(placed)).isInstanceOf(Outcome.Retry.class);
    storage.asked.clear();
    server.writes.add(new WriteResult.Conflict<>("the cache is behind"));
    assertThat(provision(placed)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("make pvc-u n1");
  }

  /** The note may be there or not: in either case nothing was asked for after it. */
  @Test
  void aDeletedClaimWhoseNoteWasNotAnsweredGoesLikeAnyOther() throws InterruptedException {
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    assertThat(provision(ProvisionedClaims.claim(Map.of(), "")))
        .isInstanceOf(Outcome.Unanswered.class);
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.results.add(failed(State.ENDED));
    assertGoes(true, provision(deleted));
  }

  /** The cache may show it yet, and it is no note of an earlier process then. */
  @Test
  void aNoteOfWhichTheServerDidNotSayThatItIsGoneStaysOurs() throws InterruptedException {
    Claim plain = server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), ""));
    storage.plans.add(
        new VolumeService.Plan.Ask(() -> {
          server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
          return new ProvisionResult.Failed(State.FINISHED, true, "too odd");
        }));
    assertThat(provisionCached(plain)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(provisionCached(plain)).as("as it was").isInstanceOf(Outcome.CheckAgain.class);
    time.advance(Duration.ofMinutes(10));
    storage.asked.clear();
    assertGoes(true, provision(ProvisionedClaims.deleted(true)));
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
  }

  /** What an earlier process sent may take its note away while the storage is asked. */
  @Test
  void aNoteOfAnEarlierProcessIsKeptBeforeTheStorageIsAsked() throws InterruptedException {
    Claim noted = ProvisionedClaims.noted(Map.of());
    server.versionWrites.add(new WriteResult.Unreachable<>("no answer"));
    assertThat(provision(noted)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.asked).isEmpty();
    storage.results.add(failed(State.BACKGROUND));
    provision(noted);
    assertThat(storage.asked).contains("make pvc-u null");
    assertThat(server.versions).as("one that failed, one that counts, one that ends").isEqualTo(3);
    provision(noted);
    assertThat(server.versions).as("once is enough").isEqualTo(3);
  }

  /** The process that kept it was killed before it could take that away. */
  @Test
  void whatKeptANoteGoesWithIt() throws InterruptedException {
    Claim noted = ProvisionedClaims.noted(Map.of(VersionMark.VERSION_MARK, "x"));
    storage.results.add(failed(State.ENDED));
    provision(noted);
    storage.asked.clear();
    Claim deleted = ProvisionedClaims.deleted(true, Map.of(VersionMark.VERSION_MARK, "x"));
    provision(deleted);
    assertThat(storage.asked.getLast())
        .contains("finalizers=[other]", VersionMark.VERSION_MARK + "=null");
  }

  @Test
  void oneThatHasBeenTakenAwayMeanwhileIsOver() throws InterruptedException {
    server.put(Kind.CLAIM, ProvisionedClaims.deleted(false));
    assertThat(provisionCached(ProvisionedClaims.deleted(true))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).isEmpty();
    assertThat(work.unfinished(U)).isEmpty();
  }

  /** Who took the note away knew that nothing is there, or was told what that may leave behind. */
  @Test
  void noVolumeIsMadeForAClaimThatWentWithTheNoteOfAnEarlierProcess() throws InterruptedException {
    assertThat(provisionCached(ProvisionedClaims.noted(Map.of()))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).isEmpty();
    assertThat(work.unfinished(U)).isEmpty();
  }

  /** A late write of the earlier process may take the note away before this one keeps it. */
  private void inherit(Map<String, String> annotations, State state) throws InterruptedException {
    storage.plans.add(
        new VolumeService.Plan.Not(new ProvisionResult.Failed(state, false, "not yet")));
    provision(ProvisionedClaims.noted(annotations));
    assertThat(work.unfinished(U)).isPresent();
    storage.asked.clear();
  }

  @Test
  void inheritedNote_takenByItsOwner_isWrittenBeforeTheStorageIsAsked()
      throws InterruptedException {
    inherit(Map.of(), State.FINISHED);
    provision(ProvisionedClaims.claim(Map.of(), ""));
    assertThat(storage.asked.getFirst()).contains("finalizers=[" + VolumeService.BEING_MADE + "]");
    assertThat(storage.asked).contains("make pvc-u null");
  }

  @Test
  void inheritedNote_takenByItsOwner_letsADeletedClaimGoUnasked() throws InterruptedException {
    inherit(Map.of(), State.FINISHED);
    assertThat(provision(ProvisionedClaims.deleted(false))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).isEmpty();
    assertThat(work.unfinished(U)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FINISHED", "RESCHEDULE"})
  void inheritedNote_goneWithItsClaim_isForgotten(State state) throws InterruptedException {
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    inherit(Map.of(ClaimRules.SELECTED_NODE, "n1"), state);
    work.gone(U);
    assertThat(work.unfinished(U)).isEmpty();
  }

  @Test
  void keptNote_goneWithItsClaim_isRemembered() throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(ProvisionedClaims.noted(Map.of()));
    work.gone(U);
    assertThat(work.unfinished(U)).isPresent();
  }

  /** What is written to it would be written to its successor, and be refused for ever. */
  @Test
  void norIsOneWrittenToWhoseNameAnotherHas() throws InterruptedException {
    Claim noted = ProvisionedClaims.noted(Map.of());
    storage.results.add(failed(State.BACKGROUND));
    provision(ProvisionedClaims.claim(Map.of(), "")); // whose note is this process's
    work.gone(U);
    server.versionWrites.add(new WriteResult.Conflict<>("it is another one"));
    storage.asked.clear();
    provisionCached(noted);
    assertThat(storage.asked).contains("make pvc-u null");
  }

  /** Some policy takes no annotation that it does not know. */
  @Test
  void whatMayNotBeKeptIsAskedAboutAllTheSame() throws InterruptedException {
    server.versionWrites.add(new WriteResult.Rejected<>(403, "unknown annotation"));
    provision(ProvisionedClaims.noted(Map.of()));
    assertThat(storage.asked).contains("make pvc-u null");
  }

  /** It is not ours for now: the scheduler is to choose another node. */
  @Test
  void aCallInDoubtIsNotForgottenWithAClaimThatIsNotOursForNow() throws InterruptedException {
    Claim placed = ProvisionedClaims.claim(Map.of(ClaimRules.SELECTED_NODE, "n1"), "");
    storage.results.add(failed(State.BACKGROUND));
    provision(placed);
    storage.results.add(failed(State.RESCHEDULE));
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    provision(ProvisionedClaims.noted(Map.of(ClaimRules.SELECTED_NODE, "n1")));
    settle(ProvisionedClaims.noted(Map.of()));
    storage.asked.clear();
    storage.results.add(failed(State.BACKGROUND));
    assertGoes(false, provision(ProvisionedClaims.deleted(true)));
  }

  /** What the cache shows meanwhile is not the claim with the note, which may come yet. */
  @Test
  void thatItsNoteWasNotAnsweredIsRememberedWhileTheStorageCannotBeAsked()
      throws InterruptedException {
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    Claim plain = ProvisionedClaims.claim(Map.of(), "");
    assertThat(provision(plain)).isInstanceOf(Outcome.Unanswered.class);
    storage.plans.add(new VolumeService.Plan.Never("it has no class"));
    assertThat(provision(plain)).isInstanceOf(Outcome.GiveUp.class);
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.results.add(failed(State.ENDED));
    assertGoes(true, provision(deleted));
  }

  /**
   * What takes the note away may be under way still: it is bound to a version, and only a change
   * makes another.
   */
  @Test
  void aNoteIsTakenAwayBeforeItIsWrittenAnew() throws InterruptedException {
    begin(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    Claim placed = ProvisionedClaims.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failed(State.NOT_HERE));
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    assertThat(provision(placed)).isInstanceOf(Outcome.Retry.class);
    storage.asked.clear();
    provision(placed);
    assertThat(storage.asked)
        .filteredOn(asked -> asked.contains("finalizers="))
        .extracting(asked -> asked.contains(VolumeService.BEING_MADE))
        .startsWith(false, true);
  }

  /** Whose storage has refused, and whose finalizer somebody else's write kept, is not in doubt. */
  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"FINISHED", "ENDED", "UNCHANGED", "RESCHEDULE", "NOT_HERE", "NODE_FULL"})
  void aDeletedClaimThatCouldNotBeLetGoIsLetGoAtTheNextLook(State state)
      throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(ProvisionedClaims.claim(Map.of(), ""));
    Claim deleted = ProvisionedClaims.deleted(true);
    storage.results.add(failed(state));
    server.writes.add(new WriteResult.Conflict<>("pvc-protection was first"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.Conflicted.class);
    storage.asked.clear();
    storage.results.add(failed(state));
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked)
        .as("nothing is asked for again")
        .singleElement()
        .asString()
        .contains("finalizers=[other]");
  }
}
