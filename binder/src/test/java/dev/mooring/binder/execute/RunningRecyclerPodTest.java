package dev.mooring.binder.execute;

import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.LiveServer;
import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.state.BinderState;
import dev.mooring.binder.state.ReclaimViews;
import dev.mooring.binder.state.RequeueTarget;
import dev.mooring.cluster.ClusterPorts;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests volumes that a pod of an earlier process still scrubs: they are given to no claim. */
class RunningRecyclerPodTest {
  private static final VolumeDecision FREE = new VolumeDecision.SetPhase(VolumePhase.AVAILABLE);
  private static final RecyclerPodTemplates.PodSettings SETTINGS =
      new RecyclerPodTemplates.PodSettings(
          "default", 60, 30, RecyclerPodTemplates.DEFAULT_TEMPLATE);
  private static final Volume FREED = freed(VolumePhase.RELEASED, ReclaimPolicy.RETAIN);

  private final LiveServer server = new LiveServer();
  private final SimTime time = new SimTime();
  private @Nullable Pod cached;

  private static Volume freed(VolumePhase phase, ReclaimPolicy policy) {
    return volume(
        "v", "1Gi", v -> v.phase(phase).reclaimPolicy(policy).source(VolumeSource.nfs("s", "/")));
  }

  private static Pod pod(ObjectKey key, Pod.Phase phase) {
    return TestObjects.pod(key)
        .uid("left")
        .created(1)
        .nodeName("n")
        .phase(phase)
        .containersStopped(true)
        .build();
  }

  private static RecyclerPodTemplates templates(RecyclerStyle style) {
    return new RecyclerPodTemplates(Map.of("nfs", SETTINGS), style);
  }

  private VolumeExecutor executor() {
    BinderState state = GivenState.of(time);
    BinderReporter reporter =
        new BinderReporter(event -> {}, state.eventMemory(), EventStyle.EXPLAINING, false);
    ClusterPorts ports = TestPorts.of(server.ports(), event -> {}, time);
    ReclaimViews views =
        new GivenReclaimViews(
            LoadedPlugins.NONE,
            key -> cached != null && cached.key().equals(key) ? cached : null,
            List::of);
    VolumeRecycler recycling =
        new VolumeRecycler(ports, views, templates(RecyclerStyle.MOORING), reporter, state);
    return new VolumeExecutor(
        ports.writer(),
        reporter,
        new VolumeReclaimer(ports, views, reporter, recycling, state),
        state,
        RequeueTarget.NONE);
  }

  @ParameterizedTest
  @EnumSource(RecyclerStyle.class)
  void execute_runningPod_isStoppedBeforeTheVolumeIsFree(RecyclerStyle style)
      throws InterruptedException {
    ObjectKey key = templates(style).key(FREED);
    server.withObject(Kind.POD, pod(key, Pod.Phase.RUNNING));
    VolumeExecutor executor = executor();
    executor.execute(FREED, FREE);
    assertThat(server.writes().getFirst()).isEqualTo("delete Pod " + key);
  }

  @Test
  void execute_twoRunningPods_stopsBoth() throws InterruptedException {
    ObjectKey mooringPod = templates(RecyclerStyle.MOORING).key(FREED);
    ObjectKey kubernetes = templates(RecyclerStyle.AS_KUBERNETES).key(FREED);
    server.withObject(Kind.POD, pod(mooringPod, Pod.Phase.RUNNING));
    server.withObject(Kind.POD, pod(kubernetes, Pod.Phase.RUNNING));
    VolumeExecutor executor = executor();
    for (int reads = 0; reads < 4; reads++) {
      executor.execute(FREED, FREE);
    }
    assertThat(server.writes().stream().takeWhile(write -> !write.contains("phase=Available")))
        .contains("delete Pod " + mooringPod, "delete Pod " + kubernetes);
  }

  @Test
  void execute_unreadablePod_keepsTheVolume() throws InterruptedException {
    server.withoutAnswerAbout(Kind.POD, templates(RecyclerStyle.MOORING).key(FREED));
    assertThat(executor().execute(FREED, FREE)).isInstanceOf(Outcome.Unanswered.class);
    assertThat(server.writes()).isEmpty();
  }

  @Test
  void execute_endedPod_doesNotDelay() throws InterruptedException {
    server.withObject(
        Kind.POD, pod(templates(RecyclerStyle.AS_KUBERNETES).key(FREED), Pod.Phase.SUCCEEDED));
    executor().execute(FREED, FREE);
    assertThat(server.writes()).singleElement().asString().contains("phase=Available");
  }

  @Test
  void execute_volumeSetToRetain_stopsThePod() throws InterruptedException {
    cached = pod(templates(RecyclerStyle.MOORING).key(FREED), Pod.Phase.RUNNING);
    server.withObject(Kind.POD, cached);
    executor().execute(FREED, new VolumeDecision.Reclaim(false, false));
    assertThat(server.writes()).containsExactly("delete Pod " + cached.key());
  }

  @Test
  void execute_volumeThatWasNotRecycled_readsNothing() throws InterruptedException {
    executor().execute(freed(VolumePhase.PENDING, ReclaimPolicy.RETAIN), FREE);
    executor().execute(FREED, new VolumeDecision.Reclaim(false, false));
    assertThat(server.reads()).isEmpty();
  }
}
