package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Request;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A snapshot appears while the finalizer is being removed from its source claim. */
class ClaimReleaseRaceTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster().onWrite(this::beforeWrite);
  private final InMemoryCluster cluster = server.cluster();
  private final StepwiseController steps = GivenSnapshotController.create(server, time, false);
  private boolean createsSnapshot = true;
  private boolean createdDuringRelease;

  @BeforeEach
  void createReleasableClaim() throws InterruptedException {
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume("pv")
                .source(VolumeSource.csi(DRIVER, "vol-1"))
                .claimRef(new ClaimRef(CLAIM, TestObjects.claim(CLAIM).meta().uid()))
                .build());
    cluster.put(
        Kind.SNAPSHOT_CLASS,
        TestObjects.snapshotClass("fast").driver(DRIVER).policy(ReclaimPolicy.DELETE).build());
    steps.startWithoutFirstPasses();
    cluster.put(
        Kind.CLAIM,
        TestObjects.claim(CLAIM)
            .boundTo(volume)
            .finalizer("example.com/other")
            .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
            .build());
  }

  private @Nullable WriteResult<?> beforeWrite(Request request) {
    if (createsSnapshot && request.verb() == Verb.PATCH && request.kind().equals(Kind.CLAIM)) {
      createsSnapshot = false;
      createSnapshot();
      createdDuringRelease = hasContent();
    }
    return null;
  }

  private void createSnapshot() {
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot("default", "s")
            .sourceClaim(CLAIM.name())
            .className("fast")
            .finalizer(VolumeSnapshot.SOURCE_PROTECTION)
            .build());
    try {
      assertThat(steps.step("snapshot-controller-snapshot")).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private boolean hasContent() {
    return server.requests().stream()
        .anyMatch(request ->
            request.verb() == Verb.CREATE && request.kind().equals(Kind.SNAPSHOT_CONTENT));
  }

  @Test
  void snapshot_claimIsBeingReleased_createsContentOnlyOnceClaimIsHeldAgain()
      throws InterruptedException {
    assertThat(steps.step("snapshot-controller-claim")).isTrue();
    assertThat(createsSnapshot).as("a release was sent").isFalse();
    assertThat(createdDuringRelease).isFalse();
    time.advance(Duration.ofSeconds(2));
    steps.settle();
    assertThat(hasContent()).isTrue();
    Claim claim = cluster.get(Kind.CLAIM, CLAIM);
    assertThat(claim.meta().finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
  }
}
