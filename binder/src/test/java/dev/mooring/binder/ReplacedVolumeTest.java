package dev.mooring.binder;

import static org.assertj.core.api.Assertions.assertThat;

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

/** A volume that is created again while a pod scrubs the storage of its predecessor. */
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
