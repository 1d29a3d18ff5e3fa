package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.provisioner.FakeStorage;
import dev.mooring.provisioner.NotedCluster;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.decide.SeenClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.testkit.Builders;
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
  private final NotedCluster server = new NotedCluster(storage.asked);
  private final ProvisionStats stats = new ProvisionStats(new SimTime());
  private final VolumeWork work = destroying(0);
  private final Volume released = volume(VolumePhase.RELEASED);

  /** One that destroys so many volumes in ten minutes; however many for 0. */
  private VolumeWork destroying(int most) {
    return new VolumeWork(
        storage,
        server.ports(new SimTime()),
        new ProvisionListeners(
            new ProvisionReporter(server.events(), "ours"), stats, new SavedVolumes()),
        new DeletionBreaker(most, Duration.ofMinutes(10), new SimTime()),
        CLAIMS);
  }

  private final Volume going =
      ProvisionedClaims.volume(
          ReclaimPolicy.DELETE, VolumePhase.RELEASED, List.of("a", VolumeRules.FINALIZER), true);

  private static Volume volume(VolumePhase phase) {
    return ProvisionedClaims.volume(
        ReclaimPolicy.DELETE, phase, List.of("a", VolumeRules.FINALIZER), false);
  }

  /** The volume is so, to the server as to the cache. */
  private Outcome tend(VolumeWork by, Volume volume) throws InterruptedException {
    return by.tend(server.put(Kind.VOLUME, volume));
  }

  private Outcome tend(Volume volume) throws InterruptedException {
    return tend(work, volume);
  }

  /** In this order others, who wait until it is being deleted, do not get into the way. */
  @Test
  void theStorageThenTheFinalizerThenTheObject() throws InterruptedException {
    assertThat(tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).hasSize(3);
    assertThat(storage.asked.get(0)).isEqualTo("destroy v");
    assertThat(storage.asked.get(1)).contains("patch PersistentVolume", "finalizers=[a]");
    assertThat(storage.asked.get(2)).isEqualTo("delete PersistentVolume v");
    Volume left = server.get(Kind.VOLUME, "", "v");
    assertThat(left.meta().isBeingDeleted()).isTrue();
    assertThat(left.finalizers()).as("somebody else's").containsExactly("a");
    assertThat(stats.read())
        .extracting(d -> d.sort().operation() + d.sort().succeeded())
        .containsExactly("deletetrue");
  }

  @Test
  void whatIsDestroyedIsNotDestroyedTwice() throws InterruptedException {
    server.writes.add(new WriteResult.Unreachable<>("away"));
    assertThat(tend(released)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(1);
    work.forget(released);
    tend(released);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(2);
  }

  /** Others take their finalizers off at the same time: nothing is asked for that is known. */
  @Test
  void whatOnlyItsFinalizerHoldsIsLetGoWithoutAskingAgain() throws InterruptedException {
    server.writes.add(new WriteResult.Conflict<>("somebody was quicker"));
    assertThat(tend(released)).isInstanceOf(Outcome.Conflicted.class);
    storage.asked.clear();
    server.mute(true);
    assertThat(tend(going)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).hasSize(1);
    assertThat(storage.asked.getFirst()).contains("patch PersistentVolume", "finalizers=[a]");
  }

  /** It may have been destroyed by a process that is gone, or by nobody. */
  @Test
  void whatOthersAreDeletingIsAskedAboutAndDestroyedFirst() throws InterruptedException {
    server.mute(true);
    assertThat(tend(going)).isInstanceOf(Outcome.Unanswered.class);
    server.mute(false);
    tend(going);
    assertThat(storage.asked.getFirst()).isEqualTo("destroy v");
  }

  @Test
  void theBreakerCountsVolumesThatWereDestroyedAndHoldsTheNext() throws InterruptedException {
    VolumeWork limited = destroying(1);
    storage.destroying = new VolumeService.Destroying.Failed("busy");
    for (int i = 0; i < 3; i++) {
      assertThat(tend(limited, released)).isInstanceOf(Outcome.Retry.class);
    }
    storage.destroying = new VolumeService.Destroying.Destroyed();
    assertThat(tend(limited, released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(4);
    Volume another = ProvisionedClaims.volumeOf("another", released);
    assertThat(tend(limited, another)).isInstanceOf(Outcome.CheckAgain.class);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(4);
    assertThat(storage.asked.getLast())
        .contains(
            "DeletionsHeld", "1 volumes or snapshots have been destroyed", "resume-deletions");
  }

  @Test
  void theServerIsAskedFirst() throws InterruptedException {
    server.put(Kind.VOLUME, volume(VolumePhase.BOUND));
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    server.remove(Kind.VOLUME, released.key());
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    server.mute(true);
    assertThat(work.tend(released)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.asked).isEmpty();
  }

  @Test
  void aVolumeWhoseClaimIsStillThereIsNotDestroyed() throws InterruptedException {
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "v"));
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).isEmpty();
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "another"));
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).isEmpty();
    Map<String, String> made = Map.of(VolumeRules.PROVISIONED_BY, "ours");
    assertThat(tend(Builders.like(released).annotations(made).build())).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("destroy v");
  }

  @Test
  void tend_releasedVolumeThatAnAdministratorFreed_asksTheStorageNothing()
      throws InterruptedException {
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "v"));
    Volume reserved =
        Builders.like(released).claimRef(new ClaimRef(ProvisionedClaims.CLAIM, Uid.NONE)).build();
    for (Volume freed : List.of(Builders.like(released).noClaimRef().build(), reserved)) {
      assertThat(tend(freed)).isEqualTo(Outcome.SETTLED);
      assertThat(storage.asked).isEmpty();
    }
  }

  @Test
  void aFailureIsToldAndTriedAgain() throws InterruptedException {
    storage.destroying = new Destroying.Failed("busy");
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).containsExactly("destroy v", "VolumeFailedDelete: busy");
  }

  @Test
  void whatTheServerDidNotSayIsTriedAgainSoonAndToldOnce() throws InterruptedException {
    storage.destroying = new Destroying.Unknown("no answer");
    for (int i = 0; i < 2; i++) {
      assertThat(tend(released)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(storage.asked)
        .containsExactly("destroy v", "VolumeFailedDelete: no answer", "destroy v");
    storage.destroying = new Destroying.Failed("busy");
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void whatIsNotToBeTouchedIsLeft() throws InterruptedException {
    storage.destroying = new Destroying.Left("not ours after all");
    assertThat(tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).containsExactly("destroy v");
  }

  /** Somebody else's, made by hand; kube-controller-manager gave it to a claim that went. */
  @Test
  void whatAClaimThatWentWasGivenIsNotDestroyed() throws InterruptedException {
    VolumeWork knowing =
        new VolumeWork(
            storage,
            server.ports(new SimTime()),
            new ProvisionListeners(
                new ProvisionReporter(server.events(), "ours"), stats, new SavedVolumes()),
            new DeletionBreaker(0, Duration.ofMinutes(10), new SimTime()),
            new SeenClaims(claim -> true, key -> Optional.empty()));
    for (VolumePhase phase : List.of(VolumePhase.BOUND, VolumePhase.RELEASED)) {
      Volume taken = server.put(Kind.VOLUME, ProvisionedClaims.had("disk", 1, phase, Map.of()));
      storage.asked.clear();
      assertThat(knowing.tend(taken)).isEqualTo(Outcome.SETTLED);
      assertThat(storage.asked.get(0))
          .contains("patch PersistentVolume", VolumeRules.TAKEN_BY + "=u")
          .contains("resourceVersion=" + taken.meta().resourceVersion());
      assertThat(storage.asked.get(1)).startsWith("VolumeKept: ");
      assertThat(storage.asked).hasSize(2);
    }
    Volume said =
        ProvisionedClaims.had("disk", 1, VolumePhase.RELEASED, Map.of(VolumeRules.TAKEN_BY, "u"));
    storage.asked.clear();
    tend(knowing, said);
    assertThat(storage.asked).singleElement().asString().contains("finalizers=[]");
  }

  @Test
  void theFinalizerIsPutRightFirst() throws InterruptedException {
    Volume bound =
        ProvisionedClaims.volume(ReclaimPolicy.DELETE, VolumePhase.BOUND, List.of("a"), false);
    assertThat(tend(bound)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked)
        .singleElement()
        .asString()
        .contains("finalizers=[a, " + VolumeRules.FINALIZER + "]", "resourceVersion=1");
  }
}
