package dev.mooring.binder.execute;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.LiveServer;
import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.ReclaimViews;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.Failure;
import dev.mooring.storage.DeletionBreaker;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPlugin;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.TestWait;
import dev.mooring.testkit.VolumeBuilder;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the API server's latest state decides whether data is destroyed. */
class VolumeReclaimerTest {
  private final LiveServer server = new LiveServer().withStatusWrites();
  private final List<String> destroyed = new CopyOnWriteArrayList<>();
  private final List<ClusterEvent> events = new CopyOnWriteArrayList<>();
  private final SimTime time = new SimTime();
  private final DeletionBreaker breaker = new DeletionBreaker(2, Duration.ofHours(10), time);
  private final BinderState state = GivenState.of(breaker, time);
  private volatile String refusal = "";
  private volatile Attempt<Optional<String>> ignores = Attempt.done(Optional.empty());
  private volatile Runnable during = () -> {};
  private volatile Supplier<List<Volume>> twins = List::of;

  private final LoadedPlugins plugins =
      new TestPlugin("kubernetes.io/host-path")
          .withDeleter(
              new Deleter() {
                @Override
                public Attempt<Optional<String>> ignores(Request request) {
                  return ignores;
                }

                @Override
                public Attempt<Deleted> delete(Request request) {
                  during.run();
                  if (!refusal.isEmpty()) {
                    return new Attempt.Failed<>(new Failure.Unreachable(refusal));
                  }
                  destroyed.add(request.volumeName());
                  return new Attempt.Done<>(new Deleted());
                }
              })
          .loaded();

  private static Volume released(UnaryOperator<VolumeBuilder> change) {
    return released("v", change);
  }

  private static Volume released(String name) {
    return released(name, v -> v);
  }

  private static Volume released(String name, UnaryOperator<VolumeBuilder> change) {
    return volume(
        name,
        "1Gi",
        v ->
            change.apply(
                v.claimRef(CLAIM, "u")
                    .phase(VolumePhase.RELEASED)
                    .reclaimPolicy(ReclaimPolicy.DELETE)
                    .source(VolumeSource.hostPath("/tmp/x"))
                    .annotation(BinderMarks.PROVISIONED_BY, "kubernetes.io/host-path")));
  }

  private VolumeReclaimer createReclaimer() {
    BinderReporter reporter =
        new BinderReporter(events::add, state.eventMemory(), EventStyle.EXPLAINING, false);
    ClusterPorts ports = TestPorts.of(server.ports(), event -> {}, time);
    ReclaimViews views =
        new GivenReclaimViews(
            plugins,
            pod -> {
              throw new AssertionError("not recycled");
            },
            () -> twins.get());
    VolumeRecycler recycling =
        new VolumeRecycler(
            ports,
            views,
            new RecyclerPodTemplates(Map.of(), RecyclerStyle.MOORING),
            reporter,
            state);
    return new VolumeReclaimer(ports, views, reporter, recycling, state);
  }

  /** Reclaims the cached volume while the API server has the changed one. */
  private void reclaimAfterChange(UnaryOperator<VolumeBuilder> now) throws InterruptedException {
    Volume cachedVolume = putVolume(released(v -> v));
    server.withObject(Kind.VOLUME, released(now));
    reclaimAndWait(createReclaimer(), cachedVolume);
  }

  private Volume putVolume(Volume volume) {
    return server.withObject(Kind.VOLUME, volume).ports().cluster().get(Kind.VOLUME, volume.key());
  }

  private Volume now() {
    return server.ports().cluster().get(Kind.VOLUME, ObjectKey.cluster("v"));
  }

  private void reclaimAndWait(VolumeReclaimer createReclaimer, Volume volume)
      throws InterruptedException {
    createReclaimer.reclaim(volume, false);
    TestWait.until("it is over", () -> state.deletions().runningJobs() == 0);
    time.advance(Duration.ofMinutes(3)); // longer than any back-off
  }

  @Test
  void reclaim_releasedVolume_isMarkedThenDestroyedThenDeleted() throws InterruptedException {
    Volume cachedVolume = putVolume(released(v -> v));
    during = () -> assertThat(BinderMarks.isPossiblyBeingDestroyed(now())).isTrue();
    reclaimAndWait(createReclaimer(), cachedVolume);
    assertThat(destroyed).containsExactly("v");
    assertThat(server.writes()).hasSize(2);
    assertThat(server.writes().getFirst())
        .contains(BinderMarks.BEING_DESTROYED)
        .contains("resourceVersion=" + cachedVolume.meta().resourceVersion());
    assertThat(server.writes().getLast()).isEqualTo("delete PersistentVolume v");
  }

  @Test
  void reclaim_condemnedVolume_isDestroyedAfterItsDeadline() throws InterruptedException {
    Duration delay = Duration.ofHours(1);
    Volume volume =
        putVolume(
            released(v ->
                v.annotation(Condemnation.UNTIL, time.now().plus(delay).toString())
                    .annotation(Condemnation.CLAIM_UID, "u")));
    assertThat(createReclaimer().reclaim(volume, false)).isEqualTo(new Outcome.CheckAgain(delay));
    assertThat(server.writes()).isEmpty();
    time.advance(delay);
    reclaimAndWait(createReclaimer(), volume);
    assertThat(destroyed).containsExactly("v");
  }

  @Test
  void reclaim_delayedVolume_isNotDestroyed() throws InterruptedException {
    reclaimAndWait(
        createReclaimer(), putVolume(released(v -> v.annotation(Condemnation.DELAY, "1h"))));
    assertThat(destroyed).isEmpty();
    assertThat(server.writes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reclaim_protectedVolume_removesFinalizersOfThisProcessTogether(boolean isProtectedHere)
      throws InterruptedException {
    if (isProtectedHere) {
      state.handover().start(key -> {});
    }
    reclaimAndWait(
        createReclaimer(),
        putVolume(
            released(
                v -> v.finalizers(BinderMarks.PROTECTION, BinderMarks.IN_TREE_FINALIZER, "a"))));
    assertThat(destroyed).containsExactly("v");
    assertThat(server.writes()).hasSize(3);
    assertThat(server.writes().getLast())
        .contains(
            "finalizers=" + (isProtectedHere ? "[a]" : "[" + BinderMarks.PROTECTION + ", a]"));
  }

  @Test
  void reclaim_volumeChangedSinceVerdict_deletesNothing() throws InterruptedException {
    List<UnaryOperator<VolumeBuilder>> changes =
        List.of(
            v -> v.reclaimPolicy(ReclaimPolicy.RETAIN),
            v -> v.annotation(CsiMigration.MIGRATED_TO, "driver.example.com"),
            v -> v.annotation(BinderMarks.PROVISIONED_BY, "kubernetes.io/other"),
            VolumeBuilder::noClaimRef);
    for (UnaryOperator<VolumeBuilder> change : changes) {
      reclaimAfterChange(change);
      assertThat(destroyed).isEmpty();
      assertThat(server.writes()).noneMatch(write -> write.startsWith("delete"));
    }
  }

  @Test
  void reclaim_volumeFreedWhileThePluginFails_losesItsMark() throws InterruptedException {
    refusal = "busy";
    during = () -> putVolume(TestObjects.like(now()).noClaimRef().build());
    reclaimAndWait(createReclaimer(), putVolume(released(v -> v)));
    assertThat(BinderMarks.isPossiblyBeingDestroyed(now())).isFalse();
    assertThat(now().phase()).isEqualTo(VolumePhase.RELEASED);
    during = () -> {};
    reclaimAndWait(createReclaimer(), putVolume(released(v -> v)));
    assertThat(BinderMarks.isPossiblyBeingDestroyed(now())).isFalse();
    assertThat(now().status().message()).isEqualTo("busy");
    assertThat(now().phase()).isEqualTo(VolumePhase.FAILED);
  }

  @Test
  void reclaim_otherVolumeOfTheSameStorage_isWaitedFor() throws InterruptedException {
    Volume twin = putVolume(released("twin", v -> v.uid("twin").phase(VolumePhase.BOUND)));
    twins = () -> List.of(twin);
    reclaimAndWait(createReclaimer(), putVolume(released(v -> v)));
    assertThat(destroyed).isEmpty();
    assertThat(events)
        .singleElement()
        .satisfies(event -> assertThat(event.note()).contains("volume twin", "Retain"));
    server.ports().cluster().remove(Kind.VOLUME, twin.key());
    reclaimAndWait(createReclaimer(), putVolume(released(v -> v)));
    assertThat(destroyed).containsExactly("v");
  }

  @Test
  void reclaim_twinCreatedAfterTheVerdict_isWaitedFor() throws InterruptedException {
    Volume twin = putVolume(released("twin", v -> v.uid("twin").phase(VolumePhase.BOUND)));
    Iterator<List<Volume>> cached = List.of(List.<Volume>of(), List.of(twin)).iterator();
    twins = cached::next;
    reclaimAndWait(createReclaimer(), putVolume(released(v -> v)));
    assertThat(destroyed).isEmpty();
    assertThat(server.writes()).isEmpty();
    assertThat(events)
        .singleElement()
        .satisfies(event -> assertThat(event.note()).contains("volume twin", "Retain"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reclaim_claimReadByTheDecision_isNotReadAgain(boolean isClaimGone)
      throws InterruptedException {
    Volume volume = putVolume(released(v -> v));
    createReclaimer().reclaim(volume, isClaimGone);
    TestWait.until("it is over", () -> state.deletions().runningJobs() == 0);
    assertThat(destroyed).containsExactly("v");
    assertThat(server.reads().contains("PersistentVolumeClaim " + CLAIM)).isEqualTo(!isClaimGone);
  }

  @Test
  void reclaim_retry_readsTheClaimAgain() throws InterruptedException {
    refusal = "busy";
    Volume volume = putVolume(released(v -> v));
    createReclaimer().reclaim(volume, true);
    TestWait.until("it is over", () -> state.deletions().runningJobs() == 0);
    assertThat(server.reads()).doesNotContain("PersistentVolumeClaim " + CLAIM);
    time.advance(Duration.ofMinutes(3));
    reclaimAndWait(createReclaimer(), now());
    assertThat(server.reads()).contains("PersistentVolumeClaim " + CLAIM);
  }

  @Test
  void reclaim_claimUnreadable_deletesNothing() throws InterruptedException {
    server.withoutAnswerAbout(Kind.CLAIM, CLAIM);
    reclaimAfterChange(v -> v);
    assertThat(destroyed).isEmpty();
  }

  @Test
  void reclaim_pluginIgnoresVolume_deletesNothing() throws InterruptedException {
    ignores = Attempt.done(Optional.of("team b serves it"));
    reclaimAndWait(createReclaimer(), putVolume(released(v -> v)));
    assertThat(destroyed).isEmpty();
    assertThat(server.writes()).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  void reclaim_pluginDoesNotAnswerWhoServes_isReportedAndLeft() throws InterruptedException {
    ignores = new Attempt.Failed<>(new Failure.Unreachable("away"));
    reclaimAndWait(createReclaimer(), putVolume(released(v -> v)));
    assertThat(destroyed).isEmpty();
    assertThat(server.writes()).isEmpty();
    assertThat(events)
        .singleElement()
        .satisfies(event -> assertThat(event.note()).contains("away"));
  }

  @Test
  void reclaim_refusals_doNotCountAsDeletions() throws InterruptedException {
    VolumeReclaimer createReclaimer = createReclaimer();
    refusal = "busy";
    for (int i = 0; i < 5; i++) {
      reclaimAndWait(createReclaimer, putVolume(released(v -> v)));
    }
    assertThat(breaker.isHolding()).isFalse();
    refusal = "";
    reclaimAndWait(createReclaimer, putVolume(released(v -> v)));
    assertThat(destroyed).containsExactly("v");
  }

  @Test
  void reclaim_deletionsHeld_doesNotCallThePlugin() throws InterruptedException {
    VolumeReclaimer createReclaimer = createReclaimer();
    for (String name : List.of("a", "b", "c", "c", "c")) {
      reclaimAndWait(createReclaimer, putVolume(released(name)));
    }
    assertThat(destroyed).containsExactly("a", "b");
    assertThat(server.writes()).noneMatch(write -> write.contains("PersistentVolume c"));
    assertThat(events)
        .singleElement()
        .satisfies(event ->
            assertThat(event.note()).contains("2 volumes or snapshots have been destroyed"));
    breaker.resume();
    reclaimAndWait(createReclaimer, putVolume(released("c")));
    assertThat(destroyed).containsExactly("a", "b", "c");
  }
}
