package dev.mooring.protection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.protection.decide.FinalizerDecider;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.ProtectionHandover;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which volumes are left to a deletion of this process. */
class VolumeProtectionTest {
  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final SharedInformers cache = new SharedInformers();
  private final ProtectionHandover handover = new ProtectionHandover();
  private final VolumeProtection protection =
      new VolumeProtection(
          cache,
          new ClusterPorts(
              server,
              server,
              server.cluster(),
              (about, uid) -> new ReadResult.Found<>(List.of()),
              time),
          handover);
  private final StepwiseController steps = new StepwiseController(protection.spec(), time);

  @BeforeEach
  void listen() throws InterruptedException {
    steps.startWithoutFirstPasses();
  }

  private static Volume volume(long deleted) {
    return TestObjects.volume(
            TestObjects.metaOf(ObjectKey.cluster("v"))
                .uid("v")
                .deleted(deleted)
                .finalizers(List.of(FinalizerDecider.VOLUME_FINALIZER))
                .meta())
        .status(new Volume.Status(VolumePhase.RELEASED, "", ""))
        .build();
  }

  private void put(Volume volume) throws InterruptedException {
    cache.of(Kind.VOLUME).applyOwnWrite(server.cluster().put(Kind.VOLUME, volume));
    settle();
  }

  private void settle() throws InterruptedException {
    time.advance(Duration.ofMillis(10));
    steps.settle();
  }

  @Test
  void sync_deletionOfThisProcess_isWaitedFor() throws InterruptedException {
    handover.begin(volume(0));
    put(volume(2));
    assertThat(server.writes()).as("the deletion removes the finalizer").isEmpty();
    handover.end(volume(0));
    settle();
    assertThat(server.writes()).as("the deletion failed").hasSize(1);
  }

  @Test
  void sync_finalizerRemovedByDeletion_isLeftAloneUntilTheVolumeIsGone()
      throws InterruptedException {
    handover.begin(volume(0));
    put(volume(2));
    handover.recordRemoval(volume(2), new WriteResult.Gone<>());
    handover.end(volume(0));
    settle();
    assertThat(server.writes()).isEmpty();
    cache.of(Kind.VOLUME).applyOwnDeletion(volume(2).key(), volume(2).meta().uid());
    settle();
    assertThat(handover.contains(volume(2))).isFalse();
  }

  @Test
  void isHandedOver_deletionEndedSinceTheVolumeWasRead_isTrue() throws InterruptedException {
    Volume read = server.cluster().put(Kind.VOLUME, volume(2));
    cache.of(Kind.VOLUME).applyOwnWrite(read);
    assertThat(protection.isHandedOver(read)).isFalse();
    put(TestObjects.like(read).finalizers(List.of("others")).build());
    assertThat(protection.isHandedOver(read)).isTrue();
  }

  @Test
  void sync_deletionByOthers_releasesTheVolume() throws InterruptedException {
    put(volume(2));
    assertThat(server.writes()).hasSize(1);
  }
}
