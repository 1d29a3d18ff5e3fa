package dev.mooring.csi.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.FakeDriver;
import dev.mooring.csi.decide.AttachmentScope;
import dev.mooring.csi.decide.DriverOptions;
import dev.mooring.csi.state.AttachmentMemory;
import dev.mooring.csi.state.DriverNodes;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.Outcome;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A volume is released by retries until the write succeeds. */
class VolumePublisherTest {
  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final VolumePublisher publisher =
      new VolumePublisher(
          new DriverSession("d.example.com", new FakeDriver(), time, new OperationStats()),
          DriverOptions.DEFAULTS,
          TestPorts.of(server, event -> {}, time),
          new DriverNodes("d.example.com", new SharedInformers(), Optional.empty()),
          new AttachmentMemory(new SharedInformers()));

  private Volume volume() {
    return server
        .cluster()
        .put(
            Kind.VOLUME,
            TestObjects.volume("v")
                .deleted(2)
                .finalizers(List.of("a", publisher.scope().finalizer(), "b"))
                .source(VolumeSource.csi("d.example.com", "h"))
                .reclaimPolicy(ReclaimPolicy.DELETE)
                .phase(VolumePhase.RELEASED)
                .build());
  }

  @Test
  void finalizer_driverName_isSanitized() {
    assertThat(publisher.scope().finalizer()).isEqualTo("external-attacher/d-example-com");
    assertThat(new AttachmentScope("d.", Optional.empty()).finalizer())
        .isEqualTo("external-attacher/d-X");
  }

  @Test
  void releaseVolume_otherFinalizers_keepsThem() throws InterruptedException {
    Volume volume = volume();
    assertThat(publisher.releaseVolume(volume)).isEqualTo(Outcome.SETTLED);
    assertThat(server.writes())
        .singleElement()
        .satisfies(write ->
            assertThat(write.document().version()).isEqualTo(volume.meta().resourceVersion()));
    assertThat(server.cluster().get(Kind.VOLUME, volume.key()).finalizers())
        .containsExactly("a", "b");
  }

  @Test
  void releaseVolume_failedWrite_isRetried() throws InterruptedException {
    server.nextWrites(new WriteResult.Unreachable<>("away"));
    assertThat(publisher.releaseVolume(volume())).isInstanceOf(Outcome.Unanswered.class);
    server.nextWrites(new WriteResult.Rejected<>(500, "no"));
    assertThat(publisher.releaseVolume(volume())).isInstanceOf(Outcome.Retry.class);
    server.nextWrites(new WriteResult.Conflict<>("changed"));
    assertThat(publisher.releaseVolume(volume())).isInstanceOf(Outcome.Conflicted.class);
    server.nextWrites(new WriteResult.Gone<>());
    assertThat(publisher.releaseVolume(volume())).isEqualTo(Outcome.SETTLED);
  }
}
