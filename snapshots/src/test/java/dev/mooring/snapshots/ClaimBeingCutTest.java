package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Informer;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Stepwise;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The snapshot has gone, and what its driver made of it nobody knows: the volume has to stay, or
 * the driver could not say so any more and the content would wait for ever.
 */
class ClaimBeingCutTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");
  private static final ObjectKey CONTENT = ObjectKey.cluster("snapcontent-1");
  private static final SnapshotContent.Ref GONE =
      new SnapshotContent.Ref(
          new ObjectKey("default", "s"), Uid.of("11111111-1111-1111-1111-111111111111"));

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final Informer<SnapshotContent> contents = cluster.informers().of(Kind.SNAPSHOT_CONTENT);
  private final Stepwise steps =
      new Stepwise(
          new SnapshotController(
                  new SnapshotConfig(true),
                  cluster.informers(),
                  new ClusterPorts(
                      cluster,
                      new Server(),
                      cluster,
                      (about, uid) -> new ReadResult.Found<>(List.of()),
                      time))
              .spec(),
          time);
  private long version;

  /** What the server has of contents, whatever the cache has. */
  private final List<SnapshotContent> served = new ArrayList<>();

  private final List<VolumeSnapshot> wanted = new ArrayList<>();

  private final class Server implements LiveReader {
    @Override
    public <T extends Resource> ReadResult<T> read(Kind<T> kind, ObjectKey key) {
      return cluster.read(kind, key);
    }

    @Override
    public ReadResult<Map<String, Object>> readWhole(Kind<?> kind, ObjectKey key) {
      return cluster.readWhole(kind, key);
    }

    @Override
    public <T extends Resource> ReadResult<List<T>> list(Kind<T> kind, String namespace) {
      if (kind.equals(Kind.GROUP_SNAPSHOT_CONTENT)) {
        return new ReadResult.Failed<>("the server does not have them");
      }
      if (kind.equals(Kind.SNAPSHOT)) {
        return new ReadResult.Found<>(wanted.stream().map(kind.type()::cast).toList());
      }
      return kind.equals(Kind.SNAPSHOT_CONTENT)
          ? new ReadResult.Found<>(served.stream().map(kind.type()::cast).toList())
          : cluster.list(kind, namespace);
    }
  }

  @BeforeEach
  void aClaimThatWasHeld() throws InterruptedException {
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            Builders.volume("pv")
                .source(VolumeSource.csi(DRIVER, "vol-1"))
                .claimRef(new ClaimRef(CLAIM, Builders.claim(CLAIM).meta().uid()))
                .build());
    cluster.put(
        Kind.CLAIM,
        Builders.claim(CLAIM)
            .boundTo(volume)
            .finalizer(VolumeSnapshot.CLAIM_PROTECTION)
            .finalizer("example.com/somebody")
            .build());
    steps.listen();
  }

  private void content(String driver, String volume, String mark) {
    content(driver, volume, mark, ReclaimPolicy.DELETE);
  }

  private void content(String driver, String volume, String mark, ReclaimPolicy policy) {
    contents.wrote(of(driver, volume, mark, policy));
  }

  private SnapshotContent of(String driver, String volume, String mark, ReclaimPolicy policy) {
    return Builders.snapshotContent(CONTENT.name())
        .version(++version)
        .driver(driver)
        .policy(policy)
        .snapshot(GONE)
        .source(new SnapshotContent.Source(volume, ""))
        .annotation(mark, "yes")
        .build();
  }

  private List<String> finalizers() throws InterruptedException {
    cluster.put(
        Kind.CLAIM,
        Builders.like(cluster.get(Kind.CLAIM, CLAIM)).label("n", "1").build()); // whatever moves it
    steps.settle();
    return cluster.get(Kind.CLAIM, CLAIM).meta().finalizers();
  }

  @Test
  void itIsHeld() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED);
    assertThat(finalizers()).contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void itIsLetGoWhenTheDriverHasSaidWhatCameOfIt() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED);
    steps.settle();
    content(DRIVER, "vol-1", "example.com/other");
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void itIsLetGoWhenTheContentGoes() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED);
    steps.settle();
    contents.deleted(CONTENT, Builders.snapshotContent(CONTENT.name()).build().meta().uid());
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** Whatever the driver makes is kept anyway: nobody waits to know. */
  @Test
  void aContentThatIsKeptHoldsNothing() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED, ReclaimPolicy.RETAIN);
    assertThat(finalizers()).doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** With a claim that is deleted its volume goes: the cache may be behind. */
  @Test
  void oneThatIsDeletedIsHeldByWhatTheServerAloneKnows() throws InterruptedException {
    served.add(of(DRIVER, "vol-1", SnapshotContent.BEING_CREATED, ReclaimPolicy.DELETE));
    cluster.delete(Kind.CLAIM, CLAIM, cluster.get(Kind.CLAIM, CLAIM).meta().uid());
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .contains(VolumeSnapshot.CLAIM_PROTECTION);
    served.clear();
    time.advance(Duration.ofSeconds(2));
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  /** It will be made of the claim as long as that is held. */
  @Test
  void oneThatIsDeletedIsHeldByASnapshotThatTheServerAloneKnows() throws InterruptedException {
    wanted.add(Builders.volumeSnapshot("default", "s").sourceClaim(CLAIM.name()).build());
    cluster.delete(Kind.CLAIM, CLAIM, cluster.get(Kind.CLAIM, CLAIM).meta().uid());
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .contains(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void aContentThatIsToBeKeptFromNowOnLetsItGo() throws InterruptedException {
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED);
    steps.settle();
    content(DRIVER, "vol-1", SnapshotContent.BEING_CREATED, ReclaimPolicy.RETAIN);
    steps.settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers())
        .doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void anotherVolumeHoldsNothing() throws InterruptedException {
    content(DRIVER, "vol-2", SnapshotContent.BEING_CREATED);
    assertThat(finalizers()).doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }

  @Test
  void aVolumeOfThatNameOfAnotherDriverHoldsNothing() throws InterruptedException {
    content("other.example.com", "vol-1", SnapshotContent.BEING_CREATED);
    assertThat(finalizers()).doesNotContain(VolumeSnapshot.CLAIM_PROTECTION);
  }
}
