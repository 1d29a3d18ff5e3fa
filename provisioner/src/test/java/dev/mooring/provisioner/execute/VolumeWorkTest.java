package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Change;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.provisioner.FakeStorage;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.RecordingCluster;
import dev.mooring.provisioner.decide.SeenClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.provisioner.state.UnboundVolumes;
import dev.mooring.provisioner.state.VolumeMemory;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.Destroying;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** spec/provisioner-lib.md 5.4 and its cases 23 to 31. */
class VolumeWorkTest {
  private static final SeenClaims CLAIMS = new SeenClaims(claim -> false, key -> Optional.empty());

  private final FakeStorage storage = new FakeStorage();
  private final RecordingCluster server = new RecordingCluster(storage.asked);
  private final UnboundVolumes volumes = new UnboundVolumes(server.cachedVolumes());
  private final ProvisionStats stats = new ProvisionStats(new SimTime());
  private final VolumeWork work = destroying(0);
  private final Volume released = volume(VolumePhase.RELEASED);

  /** Creates a worker that deletes at most so many volumes in ten minutes; 0 = unlimited. */
  private VolumeWork destroying(int most) {
    return new VolumeWork(
        storage,
        server.ports(new SimTime()),
        new ProvisionListeners(
            new ProvisionReporter(server.events(), "ours"), stats, new SavedVolumes()),
        new DeletionBreaker(most, Duration.ofMinutes(10), new SimTime()),
        new VolumeMemory(volumes, CLAIMS));
  }

  private final Volume going =
      ProvisionedClaims.volume(
          ReclaimPolicy.DELETE, VolumePhase.RELEASED, List.of("a", VolumeRules.FINALIZER), true);

  private static Volume volume(VolumePhase phase) {
    return ProvisionedClaims.volume(
        ReclaimPolicy.DELETE, phase, List.of("a", VolumeRules.FINALIZER), false);
  }

  /** Reconciles the volume; server and cache have the same state. */
  private Outcome tend(VolumeWork by, Volume volume) throws InterruptedException {
    return by.tend(server.put(Kind.VOLUME, volume));
  }

  private Outcome tend(Volume volume) throws InterruptedException {
    return tend(work, volume);
  }

  @Test
  void tend_releasedVolume_deletesTheObjectThenTheStorageThenTheFinalizer()
      throws InterruptedException {
    assertThat(tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).hasSize(3);
    assertThat(storage.asked.get(0)).isEqualTo("delete PersistentVolume v");
    assertThat(storage.asked.get(1)).isEqualTo("destroy v");
    assertThat(storage.asked.get(2)).contains("patch PersistentVolume", "finalizers=[a]");
    Volume left = server.get(Kind.VOLUME, "", "v");
    assertThat(left.meta().isBeingDeleted()).isTrue();
    assertThat(left.finalizers()).as("finalizer of another client").containsExactly("a");
    assertThat(stats.read())
        .extracting(d -> d.sort().operation() + d.sort().succeeded())
        .containsExactly("deletetrue");
  }

  @Test
  void tend_releasedVolumeWithoutOurFinalizer_isHeldBeforeItsObjectIsDeleted()
      throws InterruptedException {
    Volume bare =
        ProvisionedClaims.volume(ReclaimPolicy.DELETE, VolumePhase.RELEASED, List.of(), false);
    storage.during =
        () -> {
          Volume now = server.get(Kind.VOLUME, "", "v");
          assertThat(now.meta().isBeingDeleted()).isTrue();
          assertThat(now.finalizers()).containsExactly(VolumeRules.FINALIZER);
        };
    assertThat(tend(bare)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("destroy v");
    assertThat(server.cached(Kind.VOLUME).get(bare.key())).isEmpty();
  }

  @Test
  void tend_volumeSetToRetainWhileSecretsAreRead_isNotDestroyed() throws InterruptedException {
    storage.preparing =
        () ->
            server.put(
                Kind.VOLUME,
                TestObjects.like(released).reclaimPolicy(ReclaimPolicy.RETAIN).build());
    assertThat(tend(released)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(storage.asked).containsExactly("delete PersistentVolume v");
    assertThat(server.get(Kind.VOLUME, "", "v").meta().isBeingDeleted()).isFalse();
  }

  @Test
  void tend_volumeFreedWhileTheStorageDestroysIt_canBeBoundByNoOne() throws InterruptedException {
    storage.destroying = new Destroying.Failed("busy");
    storage.during = () -> server.put(Kind.VOLUME, TestObjects.like(going).noClaimRef().build());
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    Volume freed = server.get(Kind.VOLUME, "", "v");
    assertThat(freed.meta().isBeingDeleted()).isTrue();
    storage.asked.clear();
    assertThat(work.tend(freed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).singleElement().asString().startsWith("VolumeKept: ");
  }

  @Test
  void tend_volumeFreedBeforeItsFinalizerGoes_goesAllTheSame() throws InterruptedException {
    storage.during =
        () -> server.writes.add(new WriteResult.Conflict<>("another client was first"));
    assertThat(tend(released)).isInstanceOf(Outcome.Conflicted.class);
    Volume freed = TestObjects.like(server.get(Kind.VOLUME, "", "v")).noClaimRef().build();
    assertThat(tend(freed)).isEqualTo(Outcome.SETTLED);
    assertThat(server.get(Kind.VOLUME, "", "v").finalizers()).containsExactly("a");
  }

  @Test
  void tend_storageDeleted_isNotDeletedTwice() throws InterruptedException {
    storage.during = () -> server.writes.add(new WriteResult.Unreachable<>("away"));
    assertThat(tend(released)).isInstanceOf(Outcome.Unanswered.class);
    storage.during = () -> {};
    assertThat(work.tend(server.get(Kind.VOLUME, "", "v"))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(1);
    work.forget(released);
    tend(released);
    assertThat(storage.asked).filteredOn(a -> a.startsWith("destroy")).hasSize(2);
  }

  /** Other clients remove finalizers concurrently; a known result needs no further call. */
  @Test
  void tend_onlyFinalizerRemains_isRemovedWithoutCall() throws InterruptedException {
    storage.during =
        () -> server.writes.add(new WriteResult.Conflict<>("another client was first"));
    assertThat(tend(released)).isInstanceOf(Outcome.Conflicted.class);
    storage.asked.clear();
    server.mute(true);
    assertThat(tend(going)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).hasSize(1);
    assertThat(storage.asked.getFirst()).contains("patch PersistentVolume", "finalizers=[a]");
  }

  /** An earlier process may or may not have deleted the storage. */
  @Test
  void tend_objectDeletedByOthers_deletesStorageFirst() throws InterruptedException {
    server.mute(true);
    assertThat(tend(going)).isInstanceOf(Outcome.Unanswered.class);
    server.mute(false);
    tend(going);
    assertThat(storage.asked).contains("destroy v");
  }

  @Test
  void tend_breakerLimitReached_holdsDeletion() throws InterruptedException {
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
  void tend_releasedVolumeThatWasNeverBound_saysSoAndIsKept() throws InterruptedException {
    Volume unheld = TestObjects.like(released).finalizers().build();
    volumes.volumeChanged(new Change.Added<>(unheld));
    tend(unheld);
    assertThat(storage.asked).hasSize(2);
    assertThat(storage.asked.get(0))
        .contains("patch PersistentVolume", VolumeOrigin.NEVER_BOUND + "=u");
    assertThat(storage.asked.get(1)).startsWith("VolumeKept: ").contains("\"destroy\"");
    storage.asked.clear();
    volumes.volumeChanged(
        new Change.Deleted<>(unheld)); // the next process knows only the annotation
    assertThat(work.tend(server.get(Kind.VOLUME, "", "v"))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).isEmpty();
    tend(
        TestObjects.like(released)
            .annotations(Map.of(VolumeOrigin.NEVER_BOUND, VolumeOrigin.DESTROY))
            .build());
    assertThat(storage.asked).contains("destroy v");
  }

  @Test
  void tend_volumeOfTheSameStorageAsAnother_waitsForTheOther() throws InterruptedException {
    Volume twin =
        server.put(Kind.VOLUME, ProvisionedClaims.twinOf("twin", volume(VolumePhase.BOUND)));
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked)
        .singleElement()
        .asString()
        .startsWith("VolumeFailedDelete: volume twin represents the same storage")
        .contains("Retain");
    server.remove(Kind.VOLUME, twin.key());
    assertThat(tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("destroy v");
  }

  @Test
  void tend_twinCreatedWhileSecretsAreRead_waitsForTheTwin() throws InterruptedException {
    storage.preparing =
        () -> server.put(Kind.VOLUME, ProvisionedClaims.twinOf("twin", volume(VolumePhase.BOUND)));
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("destroy"));
    assertThat(storage.asked).anyMatch(a -> a.contains("volume twin represents the same storage"));
  }

  @Test
  void tend_cacheBehindTheServer_destroysNothing() throws InterruptedException {
    Volume stale = server.put(Kind.VOLUME, released);
    server.put(Kind.VOLUME, volume(VolumePhase.BOUND));
    assertThat(work.tend(stale)).isInstanceOf(Outcome.Conflicted.class);
    server.remove(Kind.VOLUME, released.key());
    assertThat(work.tend(released)).isEqualTo(Outcome.SETTLED);
    server.mute(true);
    assertThat(work.tend(released)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.asked).noneMatch(a -> a.startsWith("destroy"));
  }

  @Test
  void tend_claimStillExists_deletesNothing() throws InterruptedException {
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "v"));
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).isEmpty();
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "another"));
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked).isEmpty();
    Map<String, String> made = Map.of(VolumeRules.PROVISIONED_BY, "ours");
    assertThat(tend(TestObjects.like(released).annotations(made).build()))
        .isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).contains("destroy v");
  }

  @Test
  void tend_releasedVolumeThatAnAdministratorFreed_asksTheStorageNothing()
      throws InterruptedException {
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "v"));
    Volume reserved =
        TestObjects.like(released)
            .claimRef(new ClaimRef(ProvisionedClaims.CLAIM, Uid.NONE))
            .build();
    for (Volume freed : List.of(TestObjects.like(released).noClaimRef().build(), reserved)) {
      assertThat(tend(freed)).isEqualTo(Outcome.SETTLED);
      assertThat(storage.asked).isEmpty();
    }
  }

  @Test
  void tend_deletionFails_isReportedAndRetried() throws InterruptedException {
    storage.destroying = new Destroying.Failed("busy");
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.asked)
        .containsExactly("delete PersistentVolume v", "destroy v", "VolumeFailedDelete: busy");
  }

  @Test
  void tend_serverUnreachable_retriesSoonAndReportsOnce() throws InterruptedException {
    storage.destroying = new Destroying.Unknown("no answer");
    for (int i = 0; i < 2; i++) {
      assertThat(tend(released)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(storage.asked)
        .containsExactly("prepare v", "VolumeFailedDelete: no answer", "prepare v");
    storage.destroying = new Destroying.Failed("busy");
    assertThat(tend(released)).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void tend_volumeOfOthers_isLeft() throws InterruptedException {
    storage.destroying = new Destroying.Left("not our volume");
    assertThat(tend(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked).containsExactly("prepare v");
  }

  /**
   * A manually created volume of another user that kube-controller-manager bound to a deleted
   * claim.
   */
  @Test
  void tend_volumeOnlyTakenByDeletedClaim_isKept() throws InterruptedException {
    VolumeWork knowing =
        new VolumeWork(
            storage,
            server.ports(new SimTime()),
            new ProvisionListeners(
                new ProvisionReporter(server.events(), "ours"), stats, new SavedVolumes()),
            new DeletionBreaker(0, Duration.ofMinutes(10), new SimTime()),
            new VolumeMemory(volumes, new SeenClaims(claim -> true, key -> Optional.empty())));
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
    Volume annotated =
        ProvisionedClaims.had("disk", 1, VolumePhase.RELEASED, Map.of(VolumeRules.TAKEN_BY, "u"));
    storage.asked.clear();
    tend(knowing, annotated);
    assertThat(storage.asked).singleElement().asString().contains("finalizers=[]");
  }

  @Test
  void tend_boundVolume_getsFinalizer() throws InterruptedException {
    Volume bound =
        ProvisionedClaims.volume(ReclaimPolicy.DELETE, VolumePhase.BOUND, List.of("a"), false);
    assertThat(tend(bound)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.asked)
        .singleElement()
        .asString()
        .contains("finalizers=[a, " + VolumeRules.FINALIZER + "]", "resourceVersion=1");
  }
}
