package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
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
import dev.mooring.reconcile.Stepwise;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.FaultyCluster.Verb;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A snapshot is to be made of a claim that has gone, and its volume with it, but not from the cache
 * yet: the driver would be asked for a snapshot of nothing, and the content would wait for ever.
 */
class ClaimGoneMeanwhileTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");

  private final SimTime time = new SimTime();
  private final FaultyCluster server =
      new FaultyCluster()
          .onWrite(request ->
              request.verb() == Verb.DELETE ? null : new WriteResult.Conflict<>("not kept here"));
  private final SharedInformers cache = new SharedInformers();
  private final Stepwise steps =
      new Stepwise(
          new SnapshotController(
                  new SnapshotConfig(false),
                  cache,
                  new ClusterPorts(
                      server,
                      server,
                      server.cluster(),
                      (about, uid) -> new ReadResult.Found<>(List.of()),
                      time))
              .spec(),
          time);

  private <T extends Resource> void cached(Kind<T> kind, T object) {
    cache.of(kind).wrote(object);
  }

  @BeforeEach
  void asTheCacheHasIt() throws InterruptedException {
    Volume volume =
        Builders.volume("pv")
            .version(1)
            .source(VolumeSource.csi(DRIVER, "vol-1"))
            .claimRef(new ClaimRef(CLAIM, Builders.claim(CLAIM).meta().uid()))
            .build();
    cached(Kind.VOLUME, volume);
    cached(
        Kind.CLAIM,
        Builders.claim(CLAIM)
            .version(1)
            .boundTo(volume)
            .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
            .build());
    cached(
        Kind.SNAPSHOT_CLASS,
        Builders.snapshotClass("fast")
            .version(1)
            .driver(DRIVER)
            .policy(ReclaimPolicy.DELETE)
            .build());
    cached(
        Kind.SNAPSHOT,
        Builders.volumeSnapshot("default", "s")
            .version(1)
            .sourceClaim(CLAIM.name())
            .className("fast")
            .finalizer(VolumeSnapshot.SOURCE_PROTECTION)
            .build());
    steps.listen();
  }

  private boolean isMade() throws InterruptedException {
    time.advance(Duration.ofSeconds(2));
    steps.settle();
    return server.requests().stream()
        .anyMatch(
            asked -> asked.verb() == Verb.CREATE && asked.kind().equals(Kind.SNAPSHOT_CONTENT));
  }

  @Test
  void nothingIsMadeOfIt() throws InterruptedException {
    assertThat(isMade()).isFalse();
  }

  @Test
  void itIsMadeOfOneThatTheServerHas() throws InterruptedException {
    server.cluster().put(Kind.CLAIM, cache.of(Kind.CLAIM).get(CLAIM).orElseThrow());
    assertThat(isMade()).isTrue();
  }

  @Test
  void nothingIsMadeWhileTheServerDoesNotSay() throws InterruptedException {
    server.onRead(asked -> new ReadResult.Failed<>("no answer"));
    assertThat(isMade()).isFalse();
    server.cluster().put(Kind.CLAIM, cache.of(Kind.CLAIM).get(CLAIM).orElseThrow());
    server.onRead(asked -> null);
    assertThat(isMade()).isTrue();
  }
}
