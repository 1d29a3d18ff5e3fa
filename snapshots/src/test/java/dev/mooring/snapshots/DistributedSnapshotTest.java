package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.LabelSelector.Requirement;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots of a volume that only the nodes of zone "a" reach. */
class DistributedSnapshotTest {
  private static final String DRIVER = "csi.example.com";
  private static final ObjectKey CLAIM = new ObjectKey("default", "a");
  private static final ObjectKey SNAPSHOT = new ObjectKey("default", "s");

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final StepwiseController steps =
      new StepwiseController(
          new SnapshotController(
                  new SnapshotConfig(false, true, Duration.ZERO),
                  cluster.informers(),
                  TestPorts.of(cluster, cluster, time))
              .spec(),
          time);

  @BeforeEach
  void createSnapshot() throws InterruptedException {
    cluster.put(Kind.NODE, TestObjects.node("n1").label("zone", "b").build());
    Volume volume =
        cluster.put(
            Kind.VOLUME,
            TestObjects.volume("pv")
                .source(VolumeSource.csi(DRIVER, "vol-1"))
                .claimRef(new ClaimRef(CLAIM, TestObjects.claim(CLAIM).meta().uid()))
                .build());
    Requirement requirement = new Requirement("zone", "In", List.of("a"));
    NodeAffinity affinity =
        new NodeAffinity(List.of(new NodeAffinity.Term(List.of(requirement), List.of())));
    cluster.patch(
        Kind.VOLUME, volume.key(), Document.empty().set(affinity.spec(), "spec", "nodeAffinity"));
    cluster.put(Kind.CLAIM, TestObjects.claim(CLAIM).boundTo(volume).build());
    cluster.put(
        Kind.SNAPSHOT_CLASS,
        TestObjects.snapshotClass("fast").driver(DRIVER).policy(ReclaimPolicy.DELETE).build());
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(SNAPSHOT.namespace(), SNAPSHOT.name())
            .uid("s-uid")
            .sourceClaim(CLAIM.name())
            .className("fast")
            .build());
    steps.start();
    steps.settle();
    assertThat(cluster.get(Kind.SNAPSHOT, SNAPSHOT).status().problem().message())
        .contains("no node matches");
  }

  private String nodeOfContent() {
    return cluster
        .get(Kind.SNAPSHOT_CONTENT, ObjectKey.cluster("snapcontent-s-uid"))
        .meta()
        .labels()
        .get(SnapshotContent.MANAGED_BY);
  }

  @Test
  void snapshot_nodeAppears_isCreated() throws InterruptedException {
    cluster.put(Kind.NODE, TestObjects.node("n2").label("zone", "a").build());
    steps.settle();
    assertThat(nodeOfContent()).isEqualTo("n2");
  }

  @Test
  void snapshot_nodeGetsLabel_isCreated() throws InterruptedException {
    cluster.patch(
        Kind.NODE,
        ObjectKey.cluster("n1"),
        Document.empty().set("a", "metadata", "labels", "zone"));
    steps.settle();
    assertThat(nodeOfContent()).isEqualTo("n1");
  }
}
