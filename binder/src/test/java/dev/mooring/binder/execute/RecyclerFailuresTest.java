package dev.mooring.binder.execute;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.LiveServer;
import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.binder.state.BinderState;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.Document;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests failed writes and waiting while a volume is recycled. */
class RecyclerFailuresTest {
  private static final RecyclerPodTemplates.PodSettings SETTINGS =
      new RecyclerPodTemplates.PodSettings(
          "default", 60, 30, RecyclerPodTemplates.DEFAULT_TEMPLATE);

  private final LiveServer server = new LiveServer();
  private final SimTime time = new SimTime();
  private final List<ClusterEvent> events = new ArrayList<>();
  private Supplier<List<Volume>> twins = List::of;
  private @Nullable Pod cached;

  private static Volume released(String claimUid) {
    return volume(
        "v",
        "1Gi",
        v ->
            v.phase(VolumePhase.RELEASED)
                .reclaimPolicy(ReclaimPolicy.RECYCLE)
                .claimRef(CLAIM, claimUid)
                .source(VolumeSource.nfs("s", "/")));
  }

  private static Pod pod(ObjectKey key, Pod.Phase phase) {
    return TestObjects.pod(key)
        .uid("recycler pod")
        .created(1)
        .nodeName("n")
        .phase(phase)
        .containersStopped(true)
        .build();
  }

  /** Sets the status of the pod that the API server has created. */
  private Pod createPod(ObjectKey key, String phase, String message) {
    return server
        .ports()
        .cluster()
        .patchStatus(
            Kind.POD,
            key,
            Document.empty().set(phase, "status", "phase").set(message, "status", "message"))
        .toOptional()
        .orElseThrow();
  }

  private VolumeRecycler createRecycler(RecyclerStyle style) {
    BinderState state = GivenState.of(time);
    return new VolumeRecycler(
        TestPorts.of(server.ports(), event -> {}, time),
        new GivenReclaimViews(LoadedPlugins.NONE, pod -> cached, () -> twins.get()),
        templates(style),
        new BinderReporter(events::add, state.eventMemory(), EventStyle.EXPLAINING, false),
        state);
  }

  private static RecyclerPodTemplates templates(RecyclerStyle style) {
    return new RecyclerPodTemplates(Map.of("nfs", SETTINGS), style);
  }

  /** Scrubs the volume with a pod; then unbinding the volume is rejected. */
  private VolumeRecycler recycleVolume(Volume volume, RecyclerStyle style)
      throws InterruptedException {
    server.withObject(Kind.VOLUME, volume);
    ObjectKey key = templates(style).key(volume);
    server.withCreation(Kind.POD, key);
    VolumeRecycler recycling = createRecycler(style);
    recycling.recycle(volume);
    cached = createPod(key, "Succeeded", "");
    recycling.recycle(volume);
    assertThat(server.writes())
        .hasSize(3)
        .satisfies(all -> assertThat(all.get(1)).startsWith("delete"))
        .satisfies(all -> assertThat(all.get(2)).startsWith("patch"));
    cached = null;
    return recycling;
  }

  @ParameterizedTest
  @EnumSource(RecyclerStyle.class)
  void step_cleanVolume_isNotScrubbedAgain(RecyclerStyle style) throws InterruptedException {
    Volume volume = released("u");
    VolumeRecycler recycling = recycleVolume(volume, style);
    recycling.recycle(volume);
    assertThat(server.writes()).filteredOn(w -> w.startsWith("create")).hasSize(1);
    assertThat(server.writes().getLast()).startsWith("patch");
  }

  @Test
  void step_scrubbedVolume_isNoLongerCondemned() throws InterruptedException {
    Volume volume =
        TestObjects.like(released("u"))
            .annotation(Condemnation.UNTIL, time.now().toString())
            .annotation(Condemnation.CLAIM_UID, "u")
            .build();
    recycleVolume(volume, RecyclerStyle.MOORING);
    assertThat(server.writes().getLast()).contains(Condemnation.UNTIL + "=null");
  }

  @Test
  void step_condemnedVolume_isScrubbedAfterItsDeadline() throws InterruptedException {
    Duration delay = Duration.ofHours(1);
    Volume volume =
        TestObjects.like(released("u"))
            .annotation(Condemnation.UNTIL, time.now().plus(delay).toString())
            .annotation(Condemnation.CLAIM_UID, "u")
            .build();
    server.withObject(Kind.VOLUME, volume);
    server.withCreation(Kind.POD, templates(RecyclerStyle.MOORING).key(volume));
    VolumeRecycler recycling = createRecycler(RecyclerStyle.MOORING);
    assertThat(recycling.recycle(volume)).isEqualTo(new Outcome.CheckAgain(delay));
    assertThat(server.writes()).isEmpty();
    time.advance(delay);
    recycling.recycle(volume);
    assertThat(server.writes()).singleElement().asString().startsWith("create");
  }

  /** The cache contains own writes at once, so a missing pod was deleted. */
  @ParameterizedTest
  @EnumSource(RecyclerStyle.class)
  void step_podDeletedBeforeFirstSync_hasVanished(RecyclerStyle style) throws InterruptedException {
    Volume volume = released("u");
    server.withObject(Kind.VOLUME, volume);
    ObjectKey key = templates(style).key(volume);
    server.withCreation(Kind.POD, key);
    VolumeRecycler recycling = createRecycler(style);
    recycling.recycle(volume);
    server.ports().cluster().remove(Kind.POD, key);
    recycling.recycle(volume);
    assertThat(server.writes())
        .hasSize(style == RecyclerStyle.AS_KUBERNETES ? 2 : 1)
        .last()
        .asString()
        .startsWith(
            style == RecyclerStyle.AS_KUBERNETES ? "patch status PersistentVolume" : "create");
  }

  /** The API server has the pod already: the answer to its creation was lost. */
  @ParameterizedTest
  @EnumSource(RecyclerStyle.class)
  void step_podCreatedWithoutAnswer_isAdopted(RecyclerStyle style) throws InterruptedException {
    Volume volume = released("u");
    ObjectKey key = templates(style).key(volume);
    server.withObject(Kind.VOLUME, volume);
    server.ports().cluster().create(Kind.POD, key, templates(style).createPod(volume, key));
    VolumeRecycler recycling = createRecycler(style);
    recycling.recycle(volume);
    cached = server.ports().cluster().get(Kind.POD, key);
    recycling.recycle(volume);
    recycling.recycle(volume);
    assertThat(server.writes()).containsExactly("create Pod " + key);
  }

  /** An unreadable pod is not treated as a foreign pod. */
  @ParameterizedTest
  @EnumSource(RecyclerStyle.class)
  void step_unreadablePod_isNotStopped(RecyclerStyle style) throws InterruptedException {
    Volume volume = released("u");
    server.withObject(Kind.VOLUME, volume);
    VolumeRecycler recycling = createRecycler(style);
    recycling.recycle(volume);
    ObjectKey key = templates(style).key(volume);
    cached = pod(key, Pod.Phase.RUNNING);
    server.withObject(Kind.POD, cached).withFullObject(false, Kind.POD, key);
    assertThat(recycling.recycle(volume)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(server.writes()).hasSize(1).last().asString().startsWith("create");
  }

  /** Kubernetes emits the same event; Mooring then retries soon. */
  @Test
  void step_leftPodDeletionWithoutAnswer_isReported() throws InterruptedException {
    Volume volume = released("u");
    ObjectKey key = templates(RecyclerStyle.AS_KUBERNETES).key(volume);
    cached = pod(key, Pod.Phase.RUNNING);
    server
        .withObject(Kind.VOLUME, volume)
        .withObject(Kind.POD, cached)
        .withoutAnswerAbout(Kind.POD, key);
    createRecycler(RecyclerStyle.AS_KUBERNETES).recycle(volume);
    assertThat(server.writes().getLast())
        .startsWith("patch status")
        .contains("old recycler pod found");
    Volume failed =
        volume(
            "v",
            "1Gi",
            v ->
                v.phase(VolumePhase.FAILED)
                    .reclaimPolicy(ReclaimPolicy.RECYCLE)
                    .claimRef(CLAIM, "u")
                    .source(VolumeSource.nfs("s", "/")));
    assertThat(createRecycler(RecyclerStyle.AS_KUBERNETES).recycle(failed))
        .isEqualTo(new Outcome.Unanswered("no answer"));
  }

  /** The failed pod, which was the only evidence, is gone by then. */
  @Test
  void step_unwrittenFailure_isReportedLater() throws InterruptedException {
    Volume volume = released("u");
    ObjectKey key = templates(RecyclerStyle.AS_KUBERNETES).key(volume);
    cached = pod(key, Pod.Phase.RUNNING);
    server.withObject(Kind.VOLUME, volume).withObject(Kind.POD, cached);
    VolumeRecycler recycling = createRecycler(RecyclerStyle.AS_KUBERNETES);
    recycling.recycle(volume); // every patch is rejected
    cached = null;
    assertThat(recycling.recycle(volume)).isInstanceOf(Outcome.Conflicted.class);
    assertThat(server.writes())
        .hasSize(3)
        .last()
        .asString()
        .startsWith("patch status")
        .contains("old recycler pod found");
  }

  @Test
  void step_failedPod_messageIsReadBeforeDeletion() throws InterruptedException {
    Volume volume = released("u");
    ObjectKey key = templates(RecyclerStyle.AS_KUBERNETES).key(volume);
    server.withObject(Kind.VOLUME, volume).withCreation(Kind.POD, key);
    VolumeRecycler recycling = createRecycler(RecyclerStyle.AS_KUBERNETES);
    recycling.recycle(volume);
    cached = createPod(key, "Failed", "the disk is on fire");
    server.withFullObject(false, Kind.POD, key);
    assertThat(recycling.recycle(volume)).isInstanceOf(Outcome.Unanswered.class);
    server.withFullObject(true, Kind.POD, key);
    recycling.recycle(volume);
    assertThat(server.writes())
        .hasSize(3)
        .satisfies(all -> assertThat(all.get(1)).startsWith("delete"))
        .last()
        .asString()
        .contains("the disk is on fire");
  }

  private static Volume twin() {
    return TestObjects.like(released("other"))
        .key(ObjectKey.cluster("twin"))
        .uid("twin")
        .phase(VolumePhase.BOUND)
        .build();
  }

  @Test
  void step_otherVolumeOfTheSameStorage_isWaitedForWithAnEvent() throws InterruptedException {
    Volume volume = released("u");
    server.withObject(Kind.VOLUME, volume).withObject(Kind.VOLUME, twin());
    twins = () -> List.of(twin());
    VolumeRecycler recycling = createRecycler(RecyclerStyle.MOORING);
    assertThat(recycling.recycle(volume)).isEqualTo(Outcome.SETTLED);
    assertThat(server.writes()).isEmpty();
    assertThat(events)
        .singleElement()
        .satisfies(event -> assertThat(event.note()).contains("volume twin", "Retain"));
    server.ports().cluster().remove(Kind.VOLUME, twin().key());
    recycling.recycle(volume);
    assertThat(server.writes()).singleElement().asString().startsWith("create Pod");
  }

  @Test
  void step_twinCreatedAfterTheVerdict_isWaitedFor() throws InterruptedException {
    Volume volume = released("u");
    server.withObject(Kind.VOLUME, volume);
    Iterator<List<Volume>> cachedTwins = List.of(List.<Volume>of(), List.of(twin())).iterator();
    twins = cachedTwins::next;
    createRecycler(RecyclerStyle.MOORING).recycle(volume);
    assertThat(server.writes()).isEmpty();
    assertThat(events).hasSize(1);
  }

  @Test
  void step_volumeOfALaterClaim_isScrubbedAgain() throws InterruptedException {
    VolumeRecycler recycling = recycleVolume(released("u"), RecyclerStyle.MOORING);
    Volume recreated = released("other");
    server.withObject(Kind.VOLUME, recreated);
    recycling.recycle(recreated);
    assertThat(server.writes().getLast()).startsWith("create");
  }

  @Test
  void step_volumeSetToRetain_isNotFreed() throws InterruptedException {
    Volume volume = released("u");
    VolumeRecycler recycling = recycleVolume(volume, RecyclerStyle.MOORING);
    server.withObject(
        Kind.VOLUME,
        volume(
            "v",
            "1Gi",
            v ->
                v.phase(VolumePhase.RELEASED)
                    .reclaimPolicy(ReclaimPolicy.RETAIN)
                    .claimRef(CLAIM, "u")
                    .source(VolumeSource.nfs("s", "/"))));
    recycling.recycle(volume);
    assertThat(server.writes()).hasSize(3);
  }
}
