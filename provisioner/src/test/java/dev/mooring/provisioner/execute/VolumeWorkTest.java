package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.provisioner.FakeStorage;
import dev.mooring.provisioner.Given;
import dev.mooring.provisioner.decide.SeenClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** spec/provisioner-lib.md 5.4 and its cases 23 to 31. */
class VolumeWorkTest {
  private static final SeenClaims CLAIMS = new SeenClaims(claim -> false, key -> Optional.empty());

  private final FakeStorage storage = new FakeStorage();
  private final ProvisionStats stats = new ProvisionStats(new SimTime());
  private final VolumeWork work = destroying(0);
  private final Volume released = volume(VolumePhase.RELEASED);

  /** One that destroys so many volumes in ten minutes; however many for 0. */
  private VolumeWork destroying(int most) {
    return new VolumeWork(
        storage,
        new ClusterPorts(
            storage,
            storage,
            storage,
            (pod, uid) -> new ReadResult.Found<>(List.of()),
            new SimTime()),
        new ProvisionListeners(new ProvisionReporter(storage, "ours"), stats, new SavedVolumes()),
        new DeletionBreaker(most, Duration.ofMinutes(10), new SimTime()),
        CLAIMS);
  }

  private final Volume going =
      Given.volume(
          ReclaimPolicy.DELETE, VolumePhase.RELEASED, List.of("a", VolumeRules.FINALIZER), true);

  private static Volume volume(VolumePhase phase) {
    return Given.volume(ReclaimPolicy.DELETE, phase, List.of("a", VolumeRules.FINALIZER), false);
  }

  /** In this order others, who wait until it is being deleted, do not get into the way. */
  @Test
  void theStorageThenTheFinalizerThenTheObject() throws InterruptedException {
    storage.volume = released;
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).hasSize(3);
    assertThat(storage.asked.get(0)).isEqualTo("destroy v");
    assertThat(storage.asked.get(1)).contains("patch PersistentVolume", "finalizers=[a]");
    assertThat(storage.asked.get(2)).isEqualTo("delete PersistentVolume v");
    assertThat(stats.read())
        .extracting(d -> d.sort().operation() + d.sort().succeeded())
        .containsExactly("deletetrue");
  }

  @Test
  void whatIsDestroyedIsNotDestroyedTwice() throws InterruptedException {
    storage.volume = released;
    storage.writes.add(new WriteResult.Unreachable<>("away"));
    assertThat(work.tend(released)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(1);
    work.forget(released);
    work.tend(released);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(2);
  }

  /** Others take their finalizers off at the same time: nothing is asked for that is known. */
  @Test
  void whatOnlyItsFinalizerHoldsIsLetGoWithoutAskingAgain() throws InterruptedException {
    storage.volume = released;
    storage.writes.add(new WriteResult.Conflict<>("somebody was quicker"));
    assertThat(work.tend(released)).isInstanceOf(Outcome.Conflicted.class);
    storage.asked.clear();
    storage.mute = true;
    storage.volume = going;
    assertThat(work.tend(going)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).hasSize(1);
    assertThat(storage.asked.getFirst()).contains("patch PersistentVolume", "finalizers=[a]");
  }

  /** It may have been destroyed by a process that is gone, or by nobody. */
  @Test
  void whatOthersAreDeletingIsAskedAboutAndDestroyedFirst() throws InterruptedException {
    storage.mute = true;
    assertThat(work.tend(going)).isInstanceOf(Outcome.Unanswered.class);
    storage.mute = false;
    storage.volume = going;
    work.tend(going);
    assertThat(storage.asked.getFirst()).isEqualTo("destroy v");
  }

  @Test
  void theBreakerCountsVolumesThatWereDestroyedAndHoldsTheNext() throws InterruptedException {
    VolumeWork limited = destroying(1);
    storage.volume = released;
    storage.destroying = new VolumeService.Destroying.Failed("busy");
    for (int i = 0; i < 3; i++) {
      assertThat(limited.tend(released)).isInstanceOf(Outcome.Retry.class);
    }
    storage.destroying = new VolumeService.Destroying.Destroyed();
    assertThat(limited.tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(4);
    Volume another = Given.volumeOf("another", released);
    storage.volume = another;
    assertThat(limited.tend(another)).isInstanceOf(Outcome.CheckAgain.class);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(4);
    assertThat(storage.asked.getLast())
        .contains("DeletionsHeld", "1 volumes have been destroyed", "until somebody resumes");
  }

  @Test
  void theServerIsAskedFirst() throws InterruptedException {
    storage.volume = volume(VolumePhase.BOUND);
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    storage.volume = null;
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    storage.mute = true;
    assertThat(work.tend(released)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.asked).isEmpty();
  }

  @Test
  void aVolumeWhoseClaimIsStillThereIsNotDestroyed() throws InterruptedException {
    storage.volume = released;
    storage.claim = Given.claim(Map.of(), "v");
    assertThat(work.tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).isEmpty();
    storage.claim = Given.claim(Map.of(), "another");
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("destroy v");
  }

  @Test
  void aFailureIsToldAndTriedAgain() throws InterruptedException {
    storage.volume = released;
    storage.destroying = new Destroying.Failed("busy");
    assertThat(work.tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).containsExactly("destroy v", "VolumeFailedDelete: busy");
  }

  @Test
  void whatTheServerDidNotSayIsTriedAgainSoonAndToldOnce() throws InterruptedException {
    storage.volume = released;
    storage.destroying = new Destroying.Unknown("no answer");
    for (int i = 0; i < 2; i++) {
      assertThat(work.tend(released)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(storage.asked)
        .containsExactly("destroy v", "VolumeFailedDelete: no answer", "destroy v");
    storage.destroying = new Destroying.Failed("busy");
    assertThat(work.tend(released)).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void whatIsNotToBeTouchedIsLeft() throws InterruptedException {
    storage.volume = released;
    storage.destroying = new Destroying.Left("not ours after all");
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).containsExactly("destroy v");
  }

  /** Somebody else's, made by hand; kube-controller-manager gave it to a claim that went. */
  @Test
  void whatAClaimThatWentWasGivenIsNotDestroyed() throws InterruptedException {
    VolumeWork knowing =
        new VolumeWork(
            storage,
            new ClusterPorts(
                storage,
                storage,
                storage,
                (pod, uid) -> new ReadResult.Found<>(List.of()),
                new SimTime()),
            new ProvisionListeners(
                new ProvisionReporter(storage, "ours"), stats, new SavedVolumes()),
            new DeletionBreaker(0, Duration.ofMinutes(10), new SimTime()),
            new SeenClaims(claim -> true, key -> Optional.empty()));
    for (VolumePhase phase : List.of(VolumePhase.BOUND, VolumePhase.RELEASED)) {
      Volume taken = Given.had("disk", 1, phase, Map.of());
      storage.volume = taken;
      storage.asked.clear();
      assertThat(knowing.tend(taken)).isEqualTo(Outcome.SETTLED);
      assertThat(storage.asked.get(0))
          .contains("patch PersistentVolume", VolumeRules.TAKEN_BY + "=u", "resourceVersion=1");
      assertThat(storage.asked.get(1)).startsWith("VolumeKept: ");
      assertThat(storage.asked).hasSize(2);
    }
    Volume said = Given.had("disk", 1, VolumePhase.RELEASED, Map.of(VolumeRules.TAKEN_BY, "u"));
    storage.volume = said;
    storage.asked.clear();
    knowing.tend(said);
    assertThat(storage.asked).singleElement().asString().contains("finalizers=[]");
  }

  @Test
  void theFinalizerIsPutRightFirst() throws InterruptedException {
    Volume bound = Given.volume(ReclaimPolicy.DELETE, VolumePhase.BOUND, List.of("a"), false);
    storage.volume = bound;
    assertThat(work.tend(bound)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked)
        .singleElement()
        .asString()
        .contains("finalizers=[a, " + VolumeRules.FINALIZER + "]", "resourceVersion=1");
  }
}
