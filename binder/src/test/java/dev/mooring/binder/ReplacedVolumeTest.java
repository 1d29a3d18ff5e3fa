package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.decide.RecyclerStyle;
import dev.mooring.binder.state.RecyclerPodNames;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import dev.mooring.testkit.VolumeBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A volume that is created while a pod scrubs its storage for another one. */
class ReplacedVolumeTest {
  private static final ObjectKey VOLUME = ObjectKey.cluster("v");
  private static final ObjectKey CLAIM = ObjectKey.of("ns", "c");

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final StepwiseController steps =
      new StepwiseController(
          new BinderController(
                  BinderConfig.DEFAULTS,
                  server.cluster().informers(),
                  TestPorts.of(server, event -> {}, time),
                  LoadedPlugins.NONE)
              .spec(),
          time);

  private static VolumeBuilder volume(String uid) {
    return TestObjects.volume(VOLUME)
        .uid(uid)
        .source(VolumeSource.nfs("s", "/"))
        .reclaimPolicy(ReclaimPolicy.RECYCLE);
  }

  private String volumeOfClaim() {
    return server.cluster().get(Kind.CLAIM, CLAIM).volumeName();
  }

  private void passSeconds(int seconds) throws InterruptedException {
    for (int i = 0; i < seconds; i++) {
      time.advance(Duration.ofSeconds(1));
      steps.settle();
    }
  }

  private Pod startScrubbing() throws InterruptedException {
    server
        .cluster()
        .put(
            Kind.VOLUME,
            volume("earlier")
                .claimRef(ObjectKey.of("ns", "gone"), "g")
                .phase(VolumePhase.RELEASED)
                .build());
    steps.start();
    steps.settle();
    return server.cluster().informers().of(Kind.POD).snapshot().objects().iterator().next();
  }

  private Pod putPodOfEarlierProcess() {
    ObjectKey key =
        RecyclerPodNames.podKey(volume("earlier").build(), "default", RecyclerStyle.MOORING);
    return server
        .cluster()
        .put(
            Kind.POD,
            TestObjects.pod(key)
                .uid("p")
                .nodeName("n")
                .phase(Pod.Phase.RUNNING)
                .containersStopped(false)
                .build());
  }

  @Test
  void claim_podOfEarlierProcessAndVolumeRuns_isBoundAfterTheEndOfThePod()
      throws InterruptedException {
    Pod pod = putPodOfEarlierProcess();
    server.onWrite(
        request -> // the pod ends slowly
        request.verb() == Verb.DELETE && request.key().equals(pod.key())
                ? new WriteResult.Written<>(pod)
                : null);
    server.cluster().put(Kind.VOLUME, volume("later").phase(VolumePhase.AVAILABLE).build());
    server.cluster().put(Kind.CLAIM, TestObjects.claim(CLAIM).storageClass("").build());
    steps.start();
    steps.settle();
    passSeconds(5);
    assertThat(volumeOfClaim()).as("the pod still scrubs").isEmpty();
    assertThat(server.requests()).as("stops the pod").anyMatch(r -> r.verb() == Verb.DELETE);
    server.cluster().remove(Kind.POD, pod.key());
    passSeconds(5);
    assertThat(volumeOfClaim()).isEqualTo(VOLUME.name());
  }

  @Test
  void podOfEarlierProcess_volumeIsGone_isDeleted() throws InterruptedException {
    Pod pod = putPodOfEarlierProcess();
    steps.start();
    steps.settle();
    assertThat(server.cluster().read(Kind.POD, pod.key())).isInstanceOf(ReadResult.Absent.class);
  }

  @Test
  void claim_podOfThatNameInOtherNamespace_isBoundAtOnce() throws InterruptedException {
    Pod pod = putPodOfEarlierProcess();
    server.cluster().remove(Kind.POD, pod.key());
    Pod foreignPod =
        server
            .cluster()
            .put(
                Kind.POD,
                TestObjects.like(pod).key(ObjectKey.of("tenant", pod.key().name())).build());
    server.cluster().put(Kind.VOLUME, volume("later").phase(VolumePhase.AVAILABLE).build());
    server.cluster().put(Kind.CLAIM, TestObjects.claim(CLAIM).storageClass("").build());
    steps.start();
    steps.settle();
    assertThat(volumeOfClaim()).isEqualTo(VOLUME.name());
    assertThat(server.cluster().get(Kind.POD, foreignPod.key())).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void claim_podOfVolumeWithSameStorageRuns_isBoundAfterTheEndOfThePod(boolean isDeleted)
      throws InterruptedException {
    Pod pod = startScrubbing();
    server.onWrite(
        request -> // the pod ends slowly
        request.verb() == Verb.DELETE && request.key().equals(pod.key())
                ? new WriteResult.Written<>(pod)
                : null);
    if (isDeleted) {
      server.cluster().remove(Kind.VOLUME, VOLUME);
      steps.settle();
    }
    ObjectKey twin = ObjectKey.cluster("twin");
    server
        .cluster()
        .put(Kind.VOLUME, volume("twin").key(twin).phase(VolumePhase.AVAILABLE).build());
    server.cluster().put(Kind.CLAIM, TestObjects.claim(CLAIM).storageClass("").build());
    steps.settle();
    passSeconds(5);
    assertThat(volumeOfClaim()).as("the pod still scrubs").isEmpty();
    server.onWrite(request -> null);
    server.cluster().remove(Kind.POD, pod.key());
    passSeconds(5);
    assertThat(volumeOfClaim()).isEqualTo(twin.name());
  }

  @Test
  void claim_podOfEarlierVolumeRuns_isBoundAfterTheEndOfThePod() throws InterruptedException {
    Pod pod = startScrubbing();
    // the pod ends slowly
    server.onWrite(request ->
        request.verb() == Verb.DELETE && request.key().equals(pod.key())
            ? new WriteResult.Written<>(pod)
            : null);
    server.cluster().remove(Kind.VOLUME, VOLUME);
    server.cluster().put(Kind.VOLUME, volume("later").phase(VolumePhase.AVAILABLE).build());
    server.cluster().put(Kind.CLAIM, TestObjects.claim(CLAIM).storageClass("").build());
    steps.settle();
    passSeconds(5);
    assertThat(volumeOfClaim()).as("the pod still scrubs").isEmpty();
    server.onWrite(request -> null);
    server.cluster().remove(Kind.POD, pod.key());
    passSeconds(5);
    assertThat(volumeOfClaim()).isEqualTo(VOLUME.name());
  }
}
