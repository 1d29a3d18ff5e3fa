package dev.mooring.binder.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.state.BinderState;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecyclerPodEventsTest {
  private static final Volume VOLUME =
      TestObjects.volume(meta(ObjectKey.cluster("v"), "v"))
          .source(new VolumeSource("nfs", Map.of()))
          .reclaimPolicy(ReclaimPolicy.RECYCLE)
          .status(new Volume.Status(VolumePhase.RELEASED, "", ""))
          .build();

  private final Map<Uid, List<PastEvent>> server = new HashMap<>();
  private final List<String> events = new ArrayList<>();
  private boolean forbidden;
  private final BinderState state = GivenState.of(new SimTime());
  private final RecyclerPodEvents podEvents =
      new RecyclerPodEvents(
          (key, uid) ->
              forbidden
                  ? new ReadResult.Failed<>("forbidden")
                  : new ReadResult.Found<>(server.getOrDefault(uid, List.of())),
          new BinderReporter(
              this::recordEvent, state.eventMemory(), EventStyle.AS_KUBERNETES, false),
          state.recycleMemory());

  private void recordEvent(ClusterEvent event) {
    assertThat(event.kind()).isEqualTo(Kind.VOLUME);
    assertThat(event.subject()).isEqualTo(VOLUME.meta());
    events.add(event.type() + " " + event.reason() + " " + event.note());
  }

  private static Meta meta(ObjectKey key, String uid) {
    return TestObjects.metaOf(key).uid(uid).created(1).meta();
  }

  private static Pod pod(String uid) {
    return TestObjects.pod(meta(ObjectKey.of("default", "recycler-for-v"), uid))
        .nodeName("n1")
        .build();
  }

  private void addEvent(String pod, ClusterEvent.Type type, String message) {
    server
        .computeIfAbsent(Uid.of(pod), p -> new ArrayList<>())
        .add(new PastEvent(Uid.of(pod + message), type, message, "", 0));
  }

  @Test
  void forwardEvents_everyEvent_isEmittedOnceWithItsType() throws InterruptedException {
    podEvents.forwardEvents(VOLUME, pod("p1"));
    addEvent("p1", ClusterEvent.Type.NORMAL, "Pulling image");
    podEvents.forwardEvents(VOLUME, pod("p1"));
    addEvent("p1", ClusterEvent.Type.WARNING, "Failed to pull image");
    addEvent("p2", ClusterEvent.Type.NORMAL, "another pod's");
    podEvents.forwardEvents(VOLUME, pod("p1"));
    podEvents.forwardEvents(VOLUME, pod("p1"));
    assertThat(events)
        .containsExactly(
            "Normal RecyclerPod Recycler pod: Pulling image",
            "Warning RecyclerPod Recycler pod: Failed to pull image");
  }

  @Test
  void forwardEvents_nextPod_hasItsOwnEvents() throws InterruptedException {
    addEvent("p1", ClusterEvent.Type.NORMAL, "Started");
    addEvent("p2", ClusterEvent.Type.NORMAL, "Started");
    podEvents.forwardEvents(VOLUME, pod("p1"));
    podEvents.forwardEvents(VOLUME, pod("p2"));
    assertThat(events).hasSize(2);
  }

  @Test
  void forwardEvents_eventsForbidden_recyclesWithoutThem() throws InterruptedException {
    addEvent("p1", ClusterEvent.Type.NORMAL, "Started");
    forbidden = true;
    podEvents.forwardEvents(VOLUME, pod("p1"));
    assertThat(events).isEmpty();
    forbidden = false;
    podEvents.forwardEvents(VOLUME, pod("p1"));
    assertThat(events).hasSize(1);
  }
}
