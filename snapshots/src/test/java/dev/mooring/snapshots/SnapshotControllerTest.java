package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimLabels;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Stepwise;
import dev.mooring.testkit.Builders;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is remembered of objects that come and go. */
@Timeout(300)
class SnapshotControllerTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");

  private static final Map<String, String> LABELS = Map.of("app", "db");
  private static final GroupSnapshot GROUP =
      Builders.groupSnapshot("default", "g")
          .selector(Optional.of(new LabelSelector(LABELS, List.of())))
          .className("fast")
          .build();

  /** What was there at first, and nothing more. */
  private record Listed<T extends Resource>(List<T> there) implements ListWatch<T> {
    @Override
    public boolean streamsLists() {
      return false;
    }

    @Override
    public long list(Consumer<T> each) {
      there.forEach(each);
      return 1;
    }

    @Override
    public Page head(int most, Consumer<T> each) {
      return new Page(1, true);
    }

    @Override
    public void catchUp(long from, Sink<T> sink) {}

    @Override
    public void watch(long from, boolean everything, Sink<T> sink) throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  private final List<Reflector<?>> reflectors = new ArrayList<>();
  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();

  /** While the server is asked which claims there are, the group goes. */
  private final LiveReader reader =
      new LiveReader() {
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
          lists++;
          cluster.informers().of(Kind.GROUP_SNAPSHOT).deleted(GROUP.key(), GROUP.meta().uid());
          ClaimLabels claim = Builders.claimLabels("default", "a").labels(LABELS).build();
          return new ReadResult.Found<>(List.of(kind.type().cast(claim)));
        }
      };

  private final SnapshotController controller =
      new SnapshotController(
          new SnapshotConfig(true),
          cluster.informers(),
          new ClusterPorts(
              cluster, reader, cluster, (pod, uid) -> new ReadResult.Found<>(List.of()), time));
  private final Stepwise steps = new Stepwise(controller.spec(), time);
  private int lists;

  private <T extends Resource> void know(Kind<T> kind, List<T> there) throws InterruptedException {
    Informer<T> informer = cluster.informers().of(kind);
    Reflector<T> reflector =
        new Reflector<>(informer, new Listed<>(there), new SystemTime(), () -> 0.5);
    reflectors.add(reflector);
    reflector.start();
    informer.awaitSynced();
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Reflector<?> reflector : reflectors) {
      reflector.stop();
    }
  }

  private void settle() throws InterruptedException {
    boolean some = true;
    while (some) {
      some = steps.stepEach();
    }
  }

  private static Claim held() {
    return Builders.claim(CLAIM)
        .finalizers(List.of(VolumeSnapshot.CLAIM_PROTECTION))
        .volumeName("pv")
        .status(new Claim.Status(ClaimPhase.BOUND, List.of(), Map.of(), ""))
        .build();
  }

  @Test
  void aGroupThatWentWhileItsClaimsWereAskedForHoldsNone() throws InterruptedException {
    Claim claim = cluster.put(Kind.CLAIM, held());
    cluster.put(
        Kind.VOLUME,
        Builders.volume("pv")
            .source(VolumeSource.csi(DRIVER, "vol-1"))
            .claimRef(new ClaimRef(CLAIM, claim.meta().uid()))
            .build());
    know(
        Kind.GROUP_SNAPSHOT_CLASS,
        List.of(Builders.groupSnapshotClass("fast").driver(DRIVER).build()));
    know(Kind.GROUP_SNAPSHOT_CONTENT, List.of());
    know(Kind.GROUP_SNAPSHOT, List.of(GROUP));
    steps.begin();
    settle();
    assertThat(lists).isEqualTo(1);
    cluster.put(Kind.CLAIM, held());
    settle();
    assertThat(cluster.get(Kind.CLAIM, CLAIM).meta().finalizers()).isEmpty();
  }
}
