package dev.mooring.provisioner.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Change;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.provisioner.FakeStorage;
import dev.mooring.provisioner.ProvisionedClaims;
import dev.mooring.provisioner.RecordingCluster;
import dev.mooring.provisioner.decide.ObservedClaims;
import dev.mooring.provisioner.decide.VolumeRules;
import dev.mooring.provisioner.state.UnboundVolumes;
import dev.mooring.provisioner.state.VolumeMemory;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.storage.SavedVolumes;
import dev.mooring.storage.VolumeService;
import dev.mooring.storage.VolumeService.DestroyResult;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.storage.decide.ProtectionRule;
import dev.mooring.storage.decide.VolumeOrigin;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestGuards;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VolumeWorkTest {
  private static final ObservedClaims CLAIMS =
      new ObservedClaims(claim -> false, key -> Optional.empty());

  private final FakeStorage storage = new FakeStorage();
  private final RecordingCluster server = new RecordingCluster(storage.requests);
  private final UnboundVolumes volumes = new UnboundVolumes(server.cachedVolumes());
  private final ProvisionStats stats = new ProvisionStats(new SimTime());
  private final ProtectionHandover handover = new ProtectionHandover();
  private final VolumeWork work = createWork(0);
  private final Volume released = volume(VolumePhase.RELEASED);

  /** Creates a worker that deletes at most so many volumes in ten minutes; 0 = unlimited. */
  private VolumeWork createWork(int limit) {
    return createWork(limit, 0);
  }

  private VolumeWork createWork(int limit, int threshold) {
    return new VolumeWork(
        storage,
        server.ports(new SimTime()),
        new ProvisionListeners(
            new ProvisionReporter(server.events(), "ours"), stats, new SavedVolumes()),
        TestGuards.of(
            new DeletionBreaker(limit, Duration.ofMinutes(10), new SimTime()), new SimTime()),
        new VolumeMemory(volumes, CLAIMS, handover, threshold));
  }

  private final Volume deletedVolume =
      ProvisionedClaims.volume(
          ReclaimPolicy.DELETE, VolumePhase.RELEASED, List.of("a", VolumeRules.FINALIZER), true);

  private static Volume volume(VolumePhase phase) {
    return ProvisionedClaims.volume(
        ReclaimPolicy.DELETE, phase, List.of("a", VolumeRules.FINALIZER), false);
  }

  /** Reconciles the volume; server and cache have the same state. */
  private Outcome sync(VolumeWork work, Volume volume) throws InterruptedException {
    return work.sync(server.put(Kind.VOLUME, volume));
  }

  private Outcome sync(Volume volume) throws InterruptedException {
    return sync(work, volume);
  }

  @Test
  void sync_releasedVolume_deletesTheObjectThenTheStorageThenTheFinalizer()
      throws InterruptedException {
    assertThat(sync(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).hasSize(3);
    assertThat(storage.requests.get(0)).isEqualTo("delete PersistentVolume v");
    assertThat(storage.requests.get(1)).isEqualTo("destroy v");
    assertThat(storage.requests.get(2)).contains("patch PersistentVolume", "finalizers=[a]");
    Volume liveVolume = server.get(Kind.VOLUME, "", "v");
    assertThat(liveVolume.meta().isBeingDeleted()).isTrue();
    assertThat(liveVolume.finalizers()).as("finalizer of another client").containsExactly("a");
    assertThat(stats.listDurations())
        .extracting(d -> d.labels().operation() + d.labels().succeeded())
        .containsExactly("deletetrue");
  }

  @Test
  void sync_condemnedVolume_isNotDestroyedBeforeItsDeadline() throws InterruptedException {
    Instant now = new SimTime().now();
    assertThat(sync(condemned(now.plusSeconds(60))))
        .isEqualTo(new Outcome.CheckAgain(Duration.ofSeconds(60)));
    assertThat(storage.requests).isEmpty();
    assertThat(sync(condemned(now))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).contains("destroy v");
  }

  private Volume condemned(Instant deadline) {
    return TestObjects.like(released)
        .annotation(Condemnation.UNTIL, deadline.toString())
        .annotation(Condemnation.CLAIM_UID, Condemnation.claimUid(released).toString())
        .build();
  }

  @Test
  void sync_delayedVolume_isNotDestroyed() throws InterruptedException {
    sync(TestObjects.like(released).annotation(Condemnation.DELAY, "1h").build());
    assertThat(storage.requests).noneMatch(request -> request.startsWith("destroy"));
  }

  @Test
  void sync_protectionInThisProcess_removesBothFinalizersTogether() throws InterruptedException {
    handover.start(key -> {});
    Volume volume =
        ProvisionedClaims.volume(
            ReclaimPolicy.DELETE,
            VolumePhase.RELEASED,
            List.of(ProtectionRule.FINALIZER, "a", VolumeRules.FINALIZER),
            false);
    storage.during =
        () -> assertThat(handover.contains(volume)).as("left to the deletion").isTrue();
    assertThat(sync(volume)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).hasSize(3);
    assertThat(storage.requests.get(2)).contains("patch PersistentVolume", "finalizers=[a]");
    assertThat(handover.contains(volume)).as("left alone until its object is gone").isTrue();
  }

  @Test
  void sync_failedDeletion_returnsTheFinalizerToProtection() throws InterruptedException {
    List<ObjectKey> requeued = new ArrayList<>();
    handover.start(requeued::add);
    storage.destroying = new DestroyResult.Failed("busy");
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(requeued).containsExactly(released.key());
  }

  @Test
  void sync_releasedVolumeWithoutOurFinalizer_isHeldBeforeItsObjectIsDeleted()
      throws InterruptedException {
    Volume bare =
        ProvisionedClaims.volume(ReclaimPolicy.DELETE, VolumePhase.RELEASED, List.of(), false);
    storage.during =
        () -> {
          Volume current = server.get(Kind.VOLUME, "", "v");
          assertThat(current.meta().isBeingDeleted()).isTrue();
          assertThat(current.finalizers()).containsExactly(VolumeRules.FINALIZER);
        };
    assertThat(sync(bare)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).contains("destroy v");
    assertThat(server.cacheOf(Kind.VOLUME).get(bare.key())).isEmpty();
  }

  @Test
  void sync_volumeSetToRetainWhileSecretsAreRead_isNotDestroyed() throws InterruptedException {
    storage.preparing =
        () ->
            server.put(
                Kind.VOLUME,
                TestObjects.like(released).reclaimPolicy(ReclaimPolicy.RETAIN).build());
    assertThat(sync(released)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(storage.requests).containsExactly("delete PersistentVolume v");
    assertThat(server.get(Kind.VOLUME, "", "v").meta().isBeingDeleted()).isFalse();
  }

  @Test
  void sync_volumeFreedDuringDeletionInStorage_isNotBindable() throws InterruptedException {
    storage.destroying = new DestroyResult.Failed("busy");
    storage.during =
        () -> server.put(Kind.VOLUME, TestObjects.like(deletedVolume).noClaimRef().build());
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
    Volume freed = server.get(Kind.VOLUME, "", "v");
    assertThat(freed.meta().isBeingDeleted()).isTrue();
    storage.requests.clear();
    assertThat(work.sync(freed)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).singleElement().asString().startsWith("VolumeKept: ");
  }

  @Test
  void sync_volumeFreedBeforeFinalizerRemoval_losesItsFinalizer() throws InterruptedException {
    storage.during =
        () -> server.writes.add(new WriteResult.Conflict<>("another client was first"));
    assertThat(sync(released)).isInstanceOf(Outcome.Conflicted.class);
    Volume freed = TestObjects.like(server.get(Kind.VOLUME, "", "v")).noClaimRef().build();
    assertThat(sync(freed)).isEqualTo(Outcome.SETTLED);
    assertThat(server.get(Kind.VOLUME, "", "v").finalizers()).containsExactly("a");
  }

  @Test
  void sync_storageDeleted_isNotDeletedTwice() throws InterruptedException {
    storage.during = () -> server.writes.add(new WriteResult.Unreachable<>("away"));
    assertThat(sync(released)).isInstanceOf(Outcome.Unanswered.class);
    storage.during = () -> {};
    assertThat(work.sync(server.get(Kind.VOLUME, "", "v"))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).filteredOn(a -> a.startsWith("destroy")).hasSize(1);
    work.forget(released);
    sync(released);
    assertThat(storage.requests).filteredOn(a -> a.startsWith("destroy")).hasSize(2);
  }

  /** Other clients remove finalizers concurrently; a known result needs no further call. */
  @Test
  void sync_onlyFinalizerRemains_isRemovedWithoutCall() throws InterruptedException {
    storage.during =
        () -> server.writes.add(new WriteResult.Conflict<>("another client was first"));
    assertThat(sync(released)).isInstanceOf(Outcome.Conflicted.class);
    storage.requests.clear();
    server.setUnreachable(true);
    assertThat(sync(deletedVolume)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).hasSize(1);
    assertThat(storage.requests.getFirst()).contains("patch PersistentVolume", "finalizers=[a]");
  }

  /** An earlier process may or may not have deleted the storage. */
  @Test
  void sync_objectDeletedByOthers_deletesStorageFirst() throws InterruptedException {
    server.setUnreachable(true);
    assertThat(sync(deletedVolume)).isInstanceOf(Outcome.Unanswered.class);
    server.setUnreachable(false);
    sync(deletedVolume);
    assertThat(storage.requests).contains("destroy v");
  }

  @Test
  void sync_breakerLimitReached_holdsDeletion() throws InterruptedException {
    VolumeWork limited = createWork(1);
    storage.destroying = new VolumeService.DestroyResult.Failed("busy");
    for (int i = 0; i < 3; i++) {
      assertThat(sync(limited, released)).isInstanceOf(Outcome.Retry.class);
    }
    storage.destroying = new VolumeService.DestroyResult.Destroyed();
    assertThat(sync(limited, released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).filteredOn(a -> a.startsWith("destroy")).hasSize(4);
    Volume another = ProvisionedClaims.volumeOf("another", released);
    assertThat(sync(limited, another)).isInstanceOf(Outcome.CheckAgain.class);
    assertThat(storage.requests).filteredOn(a -> a.startsWith("destroy")).hasSize(4);
    assertThat(storage.requests.getLast())
        .contains(
            "DeletionsHeld", "1 volumes or snapshots have been destroyed", "resume-deletions");
  }

  @Test
  void sync_releasedVolumeNeverBound_isReportedAndKept() throws InterruptedException {
    Volume withoutFinalizers = TestObjects.like(released).finalizers().build();
    volumes.volumeChanged(new Change.Added<>(withoutFinalizers));
    sync(withoutFinalizers);
    assertThat(storage.requests).hasSize(2);
    assertThat(storage.requests.get(0))
        .contains("patch PersistentVolume", VolumeOrigin.NEVER_BOUND + "=u");
    assertThat(storage.requests.get(1)).startsWith("VolumeKept: ").contains("\"destroy\"");
    storage.requests.clear();
    volumes.volumeChanged(
        new Change.Deleted<>(
            withoutFinalizers, false)); // the next process knows only the annotation
    assertThat(work.sync(server.get(Kind.VOLUME, "", "v"))).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).isEmpty();
    sync(
        TestObjects.like(released)
            .annotations(Map.of(VolumeOrigin.NEVER_BOUND, VolumeOrigin.DESTROY))
            .build());
    assertThat(storage.requests).contains("destroy v");
  }

  @Test
  void sync_volumeOfTheSameStorageAsAnother_waitsForTheOther() throws InterruptedException {
    Volume twin =
        server.put(Kind.VOLUME, ProvisionedClaims.twinOf("twin", volume(VolumePhase.BOUND)));
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests)
        .singleElement()
        .asString()
        .startsWith("VolumeFailedDelete: volume twin represents the same storage")
        .contains("Retain");
    server.remove(Kind.VOLUME, twin.key());
    assertThat(sync(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).contains("destroy v");
  }

  @Test
  void sync_twinCreatedWhileSecretsAreRead_waitsForTheTwin() throws InterruptedException {
    storage.preparing =
        () -> server.put(Kind.VOLUME, ProvisionedClaims.twinOf("twin", volume(VolumePhase.BOUND)));
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests).noneMatch(a -> a.startsWith("destroy"));
    assertThat(storage.requests)
        .anyMatch(a -> a.contains("volume twin represents the same storage"));
  }

  @Test
  void sync_cacheBehindTheServer_destroysNothing() throws InterruptedException {
    Volume stale = server.put(Kind.VOLUME, released);
    server.put(Kind.VOLUME, volume(VolumePhase.BOUND));
    assertThat(work.sync(stale)).isInstanceOf(Outcome.Conflicted.class);
    server.remove(Kind.VOLUME, released.key());
    assertThat(work.sync(released)).isEqualTo(Outcome.SETTLED);
    server.setUnreachable(true);
    assertThat(work.sync(released)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(storage.requests).noneMatch(a -> a.startsWith("destroy"));
  }

  @Test
  void sync_claimStillExists_deletesNothing() throws InterruptedException {
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "v"));
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests).isEmpty();
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "another"));
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests).isEmpty();
    Map<String, String> annotations = Map.of(VolumeRules.PROVISIONED_BY, "ours");
    assertThat(sync(TestObjects.like(released).annotations(annotations).build()))
        .isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).contains("destroy v");
  }

  @Test
  void sync_releasedVolumeFreedByAdministrator_callsNoStorage() throws InterruptedException {
    server.put(Kind.CLAIM, ProvisionedClaims.claim(Map.of(), "v"));
    Volume reserved =
        TestObjects.like(released)
            .claimRef(new ClaimRef(ProvisionedClaims.CLAIM, Uid.NONE))
            .build();
    for (Volume freed : List.of(TestObjects.like(released).noClaimRef().build(), reserved)) {
      assertThat(sync(freed)).isEqualTo(Outcome.SETTLED);
      assertThat(storage.requests).isEmpty();
    }
  }

  @Test
  void sync_deletionFails_isReportedAndRetried() throws InterruptedException {
    storage.destroying = new DestroyResult.Failed("busy");
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests)
        .containsExactly("delete PersistentVolume v", "destroy v", "VolumeFailedDelete: busy");
  }

  @Test
  void sync_serverUnreachable_retriesSoonAndReportsOnce() throws InterruptedException {
    storage.destroying = new DestroyResult.Unknown("no answer");
    for (int i = 0; i < 2; i++) {
      assertThat(sync(released)).isInstanceOf(Outcome.Unanswered.class);
    }
    assertThat(storage.requests)
        .containsExactly("prepare v", "VolumeFailedDelete: no answer", "prepare v");
    storage.destroying = new DestroyResult.Failed("busy");
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
  }

  @Test
  void sync_volumeOfOthers_isNotDeleted() throws InterruptedException {
    storage.destroying = new DestroyResult.NotResponsible("not our volume");
    assertThat(sync(released)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).containsExactly("prepare v");
  }

  /** Its provisioner may not want the finalizer of this protocol. */
  @Test
  void sync_volumeServedByAnotherProvisioner_isNotWritten() throws InterruptedException {
    storage.hindrance = Optional.of(new DestroyResult.NotResponsible("team b serves it"));
    assertThat(sync(released)).isEqualTo(Outcome.SETTLED);
    Volume boundVolume =
        ProvisionedClaims.volume(ReclaimPolicy.DELETE, VolumePhase.BOUND, List.of(), false);
    assertThat(sync(boundVolume)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests).isEmpty();
    assertThat(stats.listDurations()).isEmpty();
  }

  @Test
  void sync_deletionFailsMoreOftenThanThreshold_isNotRetried() throws InterruptedException {
    VolumeWork limited = createWork(0, 1);
    storage.destroying = new DestroyResult.Failed("busy");
    assertThat(sync(limited, released)).isInstanceOf(Outcome.Retry.class);
    for (int i = 0; i < 2; i++) {
      assertThat(limited.sync(server.get(Kind.VOLUME, "", "v"))).isInstanceOf(Outcome.GiveUp.class);
      assertThat(storage.requests)
          .last()
          .isEqualTo("VolumeFailedDelete: busy; given up until it changes");
    }
    storage.destroying = new DestroyResult.Destroyed();
    assertThat(limited.sync(server.get(Kind.VOLUME, "", "v"))).isEqualTo(Outcome.SETTLED);
  }

  @Test
  void sync_ownerOfVolumeUnknown_deletesNothingAndRetries() throws InterruptedException {
    storage.hindrance = Optional.of(new DestroyResult.Failed("away"));
    assertThat(sync(released)).isInstanceOf(Outcome.Retry.class);
    assertThat(storage.requests).containsExactly("VolumeFailedDelete: away");
  }

  /**
   * A manually created volume of another user that kube-controller-manager bound to a deleted
   * claim.
   */
  @Test
  void sync_volumeOnlyTakenByDeletedClaim_isKept() throws InterruptedException {
    VolumeWork workWithHistory =
        new VolumeWork(
            storage,
            server.ports(new SimTime()),
            new ProvisionListeners(
                new ProvisionReporter(server.events(), "ours"), stats, new SavedVolumes()),
            TestGuards.of(
                new DeletionBreaker(0, Duration.ofMinutes(10), new SimTime()), new SimTime()),
            new VolumeMemory(
                volumes, new ObservedClaims(claim -> true, key -> Optional.empty()), handover, 0));
    for (VolumePhase phase : List.of(VolumePhase.BOUND, VolumePhase.RELEASED)) {
      Volume takenVolume =
          server.put(Kind.VOLUME, ProvisionedClaims.claimedVolume("disk", 1, phase, Map.of()));
      storage.requests.clear();
      assertThat(workWithHistory.sync(takenVolume)).isEqualTo(Outcome.SETTLED);
      assertThat(storage.requests.get(0))
          .contains("patch PersistentVolume", VolumeRules.TAKEN_BY + "=u")
          .contains("resourceVersion=" + takenVolume.meta().resourceVersion());
      assertThat(storage.requests.get(1)).startsWith("VolumeKept: ");
      assertThat(storage.requests).hasSize(2);
    }
    Volume annotated =
        ProvisionedClaims.claimedVolume(
            "disk", 1, VolumePhase.RELEASED, Map.of(VolumeRules.TAKEN_BY, "u"));
    storage.requests.clear();
    sync(workWithHistory, annotated);
    assertThat(storage.requests).singleElement().asString().contains("finalizers=[]");
  }

  @Test
  void sync_boundVolume_getsFinalizer() throws InterruptedException {
    Volume bound =
        ProvisionedClaims.volume(ReclaimPolicy.DELETE, VolumePhase.BOUND, List.of("a"), false);
    assertThat(sync(bound)).isEqualTo(Outcome.SETTLED);
    assertThat(storage.requests)
        .singleElement()
        .asString()
        .contains("finalizers=[a, " + VolumeRules.FINALIZER + "]", "resourceVersion=1");
  }
}
