package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.VersionMark;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.FakeStorage;
import dev.mooring.provisioner.Given;
import dev.mooring.provisioner.NotedCluster;
import dev.mooring.provisioner.decide.ClaimRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import dev.mooring.storage.decide.DriverNames;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** spec/provisioner-lib.md 4 and its cases 3, 8 to 20. */
class ClaimWorkTest {
  private static final Uid U = Uid.of("u");
  private final SimTime time = new SimTime(true);
  private final FakeStorage storage = new FakeStorage();
  private final NotedCluster server = new NotedCluster(storage.asked);
  private final ProvisionStats stats = new ProvisionStats(time);
  private final SavedVolumes saved = new SavedVolumes();
  private final ClaimWork work =
      new ClaimWork(
          storage,
          server.ports(time),
          new ProvisionListeners(new ProvisionReporter(server.events(), "ours"), stats, saved),
          Duration.ofMinutes(5),
          DriverNames.OF_VOLUMES);
  private final Claim claim = Given.noted(Map.of());

  /** The claim is so, to the server as to the cache. */
  private Outcome provision(Claim wanted) throws InterruptedException {
    return provisionCached(server.put(Kind.CLAIM, wanted));
  }

  /** The cache has it so, whatever the server has. */
  private Outcome provisionCached(Claim cached) throws InterruptedException {
    return work.provision(cached, Given.storageClass("ours", false));
  }

  private Outcome settle(Claim claim) throws InterruptedException {
    return work.settle(server.put(Kind.CLAIM, claim));
  }

  /** The volume has been saved, by an attempt whose answer was lost. */
  private void savedBefore() {
    Volume like = Given.volume(ReclaimPolicy.DELETE, VolumePhase.PENDING, List.of(), false);
    server.put(Kind.VOLUME, Given.volumeOf("pvc-u", like));
  }

  private Volume made() {
    return server.get(Kind.VOLUME, "", "pvc-u");
  }

  private static ProvisionResult failed(State state) {
    return new ProvisionResult.Failed(state, false, "because");
  }

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
    assertThat(made().claimRef()).isEqualTo(new ClaimRef(Given.CLAIM, U));
    assertThat(work.unfinished(U)).isEmpty();
    assertThat(stats.read())
        .extracting(OperationStats.Durations::sort)
        .containsExactly(new OperationStats.Sort("fast", "provision", true));
  }

  /** Cases 11, 12 and 17: whether the claim is remembered, first and after an earlier try. */
  @ParameterizedTest
  @CsvSource({
    "FINISHED,   false, false",
    "ENDED,      false, true",
    "BACKGROUND, true,  true",
    "UNCHANGED,  false, true",
    "RESCHEDULE, false, true",
    "NOT_HERE,   false, false",
  })
  void aClaimIsRememberedWhileItsVolumeMayBeBeingMade(State state, boolean first, boolean after)
      throws InterruptedException {
    storage.results.add(failed(state));
    assertThat(provision(Given.claim(Map.of(), ""))).isInstanceOf(Outcome.Retry.class);
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
    Claim placed = Given.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
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
  @Test
  void aClaimThatIsMadeOnAnotherNodeNoLongerSaysThatItMayBeBeingMade() throws InterruptedException {
    Claim placed = Given.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
    storage.results.add(failed(State.NOT_HERE));
    assertThat(provision(placed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked)
        .last()
        .asString()
        .contains("selected-node=null")
        .contains("finalizers=[other]");
  }

  @Test
  void whatIsInfeasibleIsNotAskedForAgainSoon() throws InterruptedException {
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
    work.provision(server.put(Kind.CLAIM, claim), Given.storageClass("ours", false, "s2"));
    assertThat(storage.asked).filteredOn(a -> a.startsWith("make")).hasSize(2);
  }

  /** Who takes Mooring away finds no claim held for nothing. */
  @Test
  void whatIsInfeasibleHoldsItsClaimNoLonger() throws InterruptedException {
    storage.results.add(new ProvisionResult.Failed(State.FINISHED, true, "too odd"));
    provision(claim);
    assertThat(storage.asked)
        .last()
        .asString()
        .contains("patch PersistentVolumeClaim", "finalizers=[other]");
    time.advance(Duration.ofMinutes(5));
    storage.asked.clear();
    Claim plain = Given.claim(Map.of(), "");
    provision(plain);
    assertThat(storage.asked.get(0)).contains("finalizers=[" + VolumeService.BEING_MADE + "]");
  }

  @Test
  void aClaimThatCouldNotBeLetGoIsLetGoAtTheNextLook() throws InterruptedException {
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
    Claim plain = Given.claim(Map.of(), "");
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
    Claim deleted = Given.deleted(true);
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
    provision(Given.claim(Map.of(), ""));
    Claim deleted = Given.deleted(true);
    storage.plans.add(new VolumeService.Plan.Unknown("no answer"));
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
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
    Claim plain = Given.claim(Map.of(), "");
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
    assertThat(provision(Given.claim(Map.of(), ""))).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.asked)
        .containsExactly("ProvisioningFailed: claim Selector is not supported");
    storage.results.add(failed(State.ENDED));
    provision(Given.claim(Map.of(), ""));
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
    Claim deleted = Given.deleted(true);
    storage.plans.add(new VolumeService.Plan.Never("the driver knows no such class"));
    assertThat(provision(deleted)).isInstanceOf(Outcome.GiveUp.class);
    assertThat(storage.asked)
        .singleElement()
        .asString()
        .startsWith("ProvisioningFailed: the driver knows no such class; the claim stays");
  }

  /** Somebody bound it to another volume, while an earlier life may have made one for it. */
  @Test
  void whatWasMadeForAClaimThatGotAnotherVolumeIsFound() throws InterruptedException {
    Claim elsewhere = Given.boundTo("disk");
    assertThat(provision(elsewhere)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("make pvc-u null");
    assertThat(storage.asked).anyMatch(a -> a.startsWith("create PersistentVolume"));
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
  }

  @Test
  void nothingIsMadeForAClaimThatGotAnotherVolume() throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(Given.claim(Map.of(), ""));
    storage.asked.clear();
    assertThat(provision(Given.boundTo("disk"))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).singleElement().asString().contains("finalizers=[other]");
  }

  /** The cache shows its finalizer until it is told that the claim is gone. */
  @Test
  void aClaimThatWasLetGoIsNotAskedAboutAgainBeforeItIsGone() throws InterruptedException {
    Claim deleted = Given.deleted(true);
    storage.results.add(failed(State.FINISHED));
    provision(deleted);
    storage.asked.clear();
    server.remove(Kind.CLAIM, deleted.key());
    provisionCached(deleted);
    provisionCached(deleted);
    assertThat(storage.asked).hasSize(2).allMatch(a -> a.contains("finalizers=[other]"));
    work.gone(U);
    storage.asked.clear();
    provision(deleted);
    assertThat(storage.asked).as("nothing is kept of it").anyMatch(a -> a.startsWith("make"));
  }

  @Test
  void blockVolumesOnlyWhereTheyAreMade() throws InterruptedException {
    Claim block = Given.claim(Map.of(), "", VolumeMode.BLOCK);
    assertThat(provision(block)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked)
        .containsExactly("ProvisioningFailed: ours does not support block volume provisioning");
    storage.block = true;
    provision(block);
    assertThat(storage.asked).contains("make pvc-u null");
  }

  @Test
  void theClaimSaysThatItsVolumeIsBeingMadeBeforeItIs() throws InterruptedException {
    Claim plain = Given.claim(Map.of(), "");
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
    assertThat(settle(Given.bound())).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).singleElement().asString().contains("finalizers=[other]");
    server.writes.add(new WriteResult.Conflict<>("changed"));
    assertThat(settle(Given.bound())).isInstanceOf(Outcome.Conflicted.class);
  }

  /** What an earlier life of the process may have made is found, saved, and so destroyed. */
  @Test
  void aDeletedClaimThatSaysSoIsMadeOnceMore() throws InterruptedException {
    Claim deleted = Given.deleted(true);
    assertThat(provision(deleted)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).anyMatch(a -> a.startsWith("create PersistentVolume"));
    assertThat(storage.asked).last().asString().contains("finalizers=[other]");
  }

  @ParameterizedTest
  @CsvSource({
    "FINISHED,   true",
    "ENDED,      false",
    "RESCHEDULE, false",
    "NOT_HERE,   true",
    "BACKGROUND, false",
    "UNCHANGED,  false",
  })
  void aDeletedClaimThatAnEarlierLifeHasNotedGoesWhenCertainlyNothingIsThere(
      State state, boolean goes) throws InterruptedException {
    Claim deleted = Given.deleted(true);
    storage.results.add(failed(state));
    assertGoes(goes, provision(deleted));
  }

  /** Asked once more, the storage might make a volume for a claim that is about to be gone. */
  @Test
  void oneThatThisLifeHasNotedGoesUnaskedUnlessACallIsInDoubt() throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(Given.claim(Map.of(), ""));
    Claim deleted = Given.deleted(true);
    storage.asked.clear();
    assertGoes(true, provision(deleted));
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
    storage.asked.clear();
    provision(deleted); // as the cache shows it still
    assertThat(storage.asked).noneMatch(a -> a.startsWith("make"));
    work.forget(U);
    storage.results.add(failed(State.BACKGROUND));
    provision(Given.claim(Map.of(), ""));
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
    assertThat(provision(Given.deleted(false))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).isEmpty();
  }

  /** The cache may show a note that is gone: then nothing would hold the claim any more. */
  @Test
  void aNoteThatMayBeGoneIsWrittenAnewBeforeTheStorageIsAsked() throws InterruptedException {
    Claim placed = Given.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
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
    assertThat(provision(Given.claim(Map.of(), ""))).isInstanceOf(Outcome.Unanswered.class);
    Claim deleted = Given.deleted(true);
    storage.results.add(failed(State.ENDED));
    assertGoes(true, provision(deleted));
  }

  /** What an earlier process sent may take its note away while the storage is asked. */
  @Test
  void aNoteOfAnEarlierProcessIsKeptBeforeTheStorageIsAsked() throws InterruptedException {
    Claim noted = Given.noted(Map.of());
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
    Claim noted = Given.noted(Map.of(VersionMark.VERSION_MARK, "x"));
    storage.results.add(failed(State.FINISHED));
    provision(noted);
    storage.asked.clear();
    Claim deleted = Given.deleted(true, Map.of(VersionMark.VERSION_MARK, "x"));
    storage.results.add(failed(State.FINISHED));
    provision(deleted);
    assertThat(storage.asked.getLast())
        .contains("finalizers=[other]", VersionMark.VERSION_MARK + "=null");
  }

  @Test
  void oneThatHasBeenTakenAwayMeanwhileIsOver() throws InterruptedException {
    server.put(Kind.CLAIM, Given.deleted(false));
    assertThat(provisionCached(Given.deleted(true))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).isEmpty();
    assertThat(work.unfinished(U)).isEmpty();
  }

  /** Who took the note away knew that nothing is there, or was told what that may leave behind. */
  @Test
  void noVolumeIsMadeForAClaimThatWentWithTheNoteOfAnEarlierProcess() throws InterruptedException {
    assertThat(provisionCached(Given.noted(Map.of()))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).isEmpty();
    assertThat(work.unfinished(U)).isEmpty();
  }

  /** What is written to it would be written to its successor, and be refused for ever. */
  @Test
  void norIsOneWrittenToWhoseNameAnotherHas() throws InterruptedException {
    Claim noted = Given.noted(Map.of());
    storage.results.add(failed(State.BACKGROUND));
    provision(Given.claim(Map.of(), "")); // whose note is this process's
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
    provision(Given.noted(Map.of()));
    assertThat(storage.asked).contains("make pvc-u null");
  }

  /** It is not ours for now: the scheduler is to choose another node. */
  @Test
  void aCallInDoubtIsNotForgottenWithAClaimThatIsNotOursForNow() throws InterruptedException {
    Claim placed = Given.claim(Map.of(ClaimRules.SELECTED_NODE, "n1"), "");
    storage.results.add(failed(State.BACKGROUND));
    provision(placed);
    storage.results.add(failed(State.RESCHEDULE));
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    provision(Given.noted(Map.of(ClaimRules.SELECTED_NODE, "n1")));
    settle(Given.noted(Map.of()));
    storage.asked.clear();
    storage.results.add(failed(State.BACKGROUND));
    assertGoes(false, provision(Given.deleted(true)));
  }

  /** What the cache shows meanwhile is not the claim with the note, which may come yet. */
  @Test
  void thatItsNoteWasNotAnsweredIsRememberedWhileTheStorageCannotBeAsked()
      throws InterruptedException {
    server.writes.add(new WriteResult.Unreachable<>("the answer was lost"));
    Claim plain = Given.claim(Map.of(), "");
    assertThat(provision(plain)).isInstanceOf(Outcome.Unanswered.class);
    storage.plans.add(new VolumeService.Plan.Never("it has no class"));
    assertThat(provision(plain)).isInstanceOf(Outcome.GiveUp.class);
    Claim deleted = Given.deleted(true);
    storage.results.add(failed(State.ENDED));
    assertGoes(true, provision(deleted));
  }

  /**
   * What takes the note away may be under way still: it is bound to a version, and only a change
   * makes another.
   */
  @Test
  void aNoteIsTakenAwayBeforeItIsWrittenAnew() throws InterruptedException {
    Claim placed = Given.noted(Map.of(ClaimRules.SELECTED_NODE, "n1"));
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
      names = {"FINISHED", "ENDED", "UNCHANGED", "RESCHEDULE", "NOT_HERE"})
  void aDeletedClaimThatCouldNotBeLetGoIsLetGoAtTheNextLook(State state)
      throws InterruptedException {
    storage.results.add(failed(State.ENDED));
    provision(Given.claim(Map.of(), ""));
    Claim deleted = Given.deleted(true);
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
