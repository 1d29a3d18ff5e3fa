package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another program keeps a deleted snapshot that was never ready. */
class ForeignFinalizerTest {
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");
  private static final String FOREIGN = "example.com/backup";

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final StepwiseController steps = GivenSnapshotController.create(server, time, false);

  @BeforeEach
  void createDeletedClaim() {
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume("pv")
                .source(VolumeSource.csi("csi.example.com", "vol-1"))
                .claimRef(new ClaimRef(CLAIM, TestObjects.claim(CLAIM).meta().uid()))
                .build());
    cluster.put(
        Kind.CLAIM,
        TestObjects.claim(CLAIM)
            .boundTo(volume)
            .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
            .deleting()
            .build());
  }

  private void createDeletedSnapshot(String... finalizers) {
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot("default", "s")
            .sourceClaim(CLAIM.name())
            .finalizers(finalizers)
            .deleting()
            .build());
  }

  private boolean isClaimKept() throws InterruptedException {
    steps.start();
    steps.settle();
    return cluster.read(Kind.CLAIM, CLAIM).toOptional().isPresent();
  }

  @Test
  void claim_snapshotHasForeignFinalizer_isReleased() throws InterruptedException {
    createDeletedSnapshot(FOREIGN);
    assertThat(isClaimKept()).isFalse();
  }

  @Test
  void claim_snapshotLosesOwnFinalizer_isReleased() throws InterruptedException {
    createDeletedSnapshot(FOREIGN, VolumeSnapshot.SOURCE_PROTECTION);
    assertThat(isClaimKept()).isFalse();
    assertThat(cluster.get(Kind.SNAPSHOT, new ObjectKey("default", "s")).meta().finalizers())
        .containsExactly(FOREIGN);
  }
}
