package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The source claim and its volume are gone, but still in the cache. The driver must not be called
 * for such a snapshot, because its content would never become ready.
 */
class DeletedSourceClaimTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");

  private final SimTime time = new SimTime();
  private final FaultyCluster server =
      new FaultyCluster()
          .onWrite(request ->
              request.verb() == Verb.DELETE ? null : new WriteResult.Conflict<>("not kept here"));
  private final SharedInformers cache = new SharedInformers();
  private final StepwiseController steps =
      new StepwiseController(
          new SnapshotController(
                  new SnapshotConfig(false, false, Duration.ZERO),
                  cache,
                  TestPorts.of(server, server.cluster(), time))
              .spec(),
          time);

  private <T extends Resource> void cached(Kind<T> kind, T object) {
    cache.of(kind).applyOwnWrite(object);
  }

  @BeforeEach
  void fillCache() throws InterruptedException {
    Volume volume =
        TestObjects.volume("pv")
            .version(1)
            .source(VolumeSource.csi(DRIVER, "vol-1"))
            .claimRef(new ClaimRef(CLAIM, TestObjects.claim(CLAIM).meta().uid()))
            .build();
    cached(Kind.VOLUME, volume);
    cached(
        Kind.CLAIM,
        TestObjects.claim(CLAIM)
            .version(1)
            .boundTo(volume)
            .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
            .build());
    cached(
        Kind.SNAPSHOT_CLASS,
        TestObjects.snapshotClass("fast")
            .version(1)
            .driver(DRIVER)
            .policy(ReclaimPolicy.DELETE)
            .build());
    cached(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot("default", "s")
            .version(1)
            .sourceClaim(CLAIM.name())
            .className("fast")
            .finalizer(VolumeSnapshot.SOURCE_PROTECTION)
            .build());
    steps.startWithoutFirstPasses();
  }

  private boolean isCreated() throws InterruptedException {
    time.advance(Duration.ofSeconds(2));
    steps.settle();
    return server.requests().stream()
        .anyMatch(
            asked -> asked.verb() == Verb.CREATE && asked.kind().equals(Kind.SNAPSHOT_CONTENT));
  }

  @Test
  void create_claimGone_createsNothing() throws InterruptedException {
    assertThat(isCreated()).isFalse();
  }

  @Test
  void create_claimExists_createsContent() throws InterruptedException {
    server.cluster().put(Kind.CLAIM, cache.of(Kind.CLAIM).get(CLAIM).orElseThrow());
    assertThat(isCreated()).isTrue();
  }

  @Test
  void create_claimUnanswered_waits() throws InterruptedException {
    server.onRead(asked -> new ReadResult.Failed<>("no answer"));
    assertThat(isCreated()).isFalse();
    server.cluster().put(Kind.CLAIM, cache.of(Kind.CLAIM).get(CLAIM).orElseThrow());
    server.onRead(asked -> null);
    assertThat(isCreated()).isTrue();
  }
}
