package dev.mooring.binder.decide;

import static dev.mooring.binder.decide.VolumesAndClaims.CLAIM;
import static dev.mooring.binder.decide.VolumesAndClaims.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mooring.binder.decide.RecycleView.PodRelation;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Decision table; each row has an id. */
class RecycleDeciderTest {
  private static final ObjectKey USER = ObjectKey.of("default", "p");
  private static final Volume NFS =
      volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").source(VolumeSource.nfs("s", "/")));

  private static Pod recycler(Pod.Phase phase, boolean deleting) {
    return TestObjects.pod(ObjectKey.of("default", "recycler-for-v"))
        .uid("r")
        .created(1)
        .deleted(deleting ? 2 : 0)
        .phase(phase)
        .containersStopped(true)
        .build();
  }

  static Stream<Arguments> rows() {
    Pod pending = recycler(Pod.Phase.PENDING, false);
    Pod terminatedPod = recycler(Pod.Phase.SUCCEEDED, false);
    Pod failed = recycler(Pod.Phase.FAILED, false);
    RecycleDecision waiting = new RecycleDecision.Wait();
    return Stream.of(
        arguments(
            "6-1 unused",
            view(NFS, List.of(), null, PodRelation.NONE),
            new RecycleDecision.Start()),
        arguments(
            "6-11 a pod uses it",
            view(NFS, List.of(USER), null, PodRelation.NONE),
            new RecycleDecision.InUse(List.of(USER))),
        arguments(
            "6-3 no recycler for the type",
            view(
                volume("v", "1Gi", v -> v.claimRef(CLAIM, "u").source(VolumeSource.csi("d", "h"))),
                List.of(),
                null,
                PodRelation.NONE),
            new RecycleDecision.NoRecycler()),
        arguments("at work", view(NFS, List.of(), pending, PodRelation.OURS), waiting),
        arguments(
            "6-1 clean",
            view(NFS, List.of(), terminatedPod, PodRelation.OURS),
            new RecycleDecision.Succeeded(terminatedPod)),
        arguments(
            "6-5 failed",
            view(NFS, List.of(), failed, PodRelation.OURS),
            new RecycleDecision.Failed(failed)),
        arguments(
            "129 left over, whatever it says of itself",
            view(NFS, List.of(), terminatedPod, PodRelation.NONE),
            new RecycleDecision.Leftover(terminatedPod)),
        arguments(
            "129 deleted by a user",
            view(NFS, List.of(USER), null, PodRelation.VANISHED),
            new RecycleDecision.Vanished()),
        arguments(
            "deleted by us, and still in the cache",
            view(NFS, List.of(), terminatedPod, PodRelation.ENDED),
            waiting),
        arguments(
            "clean, and its pod is gone",
            view(NFS, List.of(USER), null, PodRelation.RECYCLED),
            new RecycleDecision.Recycled()),
        arguments(
            "clean, and its pod could not be deleted",
            view(NFS, List.of(), terminatedPod, PodRelation.RECYCLED),
            new RecycleDecision.Recycled()),
        arguments(
            "129 going",
            view(NFS, List.of(), recycler(Pod.Phase.PENDING, true), PodRelation.NONE),
            waiting));
  }

  private static RecycleView view(
      Volume volume, List<ObjectKey> users, Pod pod, PodRelation relation) {
    return new RecycleView(volume, users, pod, relation);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void decide_eachState_returnsStep(String row, RecycleView view, RecycleDecision expected) {
    assertThat(RecycleDecider.decide(view)).isEqualTo(expected);
  }
}
