package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.snapshots.decide.CommonStep;
import dev.mooring.snapshots.execute.GroupWriter;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestPorts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetainedContentTest {
  private static final ObjectKey NAME = new ObjectKey("default", "s");
  private static final ObjectKey CONTENT = ObjectKey.cluster("c");

  private final SimTime time = new SimTime();
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final StepwiseController steps =
      new StepwiseController(
          new SnapshotController(
                  new SnapshotConfig(false, false, Duration.ZERO),
                  cluster.informers(),
                  TestPorts.of(cluster, cluster, time))
              .spec(),
          time);

  private void content(Uid owner, long deleted) {
    cluster.put(
        Kind.SNAPSHOT_CONTENT,
        TestObjects.snapshotContent(CONTENT.name())
            .driver("csi.example.com")
            .policy(ReclaimPolicy.RETAIN)
            .snapshot(new SnapshotContent.Ref(NAME, owner))
            .source(new SnapshotContent.Source("", "snap-1"))
            .annotation(SnapshotContent.BEING_DELETED, "yes")
            .finalizer(SnapshotContent.BOUND_PROTECTION)
            .deleted(deleted)
            .build());
  }

  private VolumeSnapshot snapshot() {
    return cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(NAME.namespace(), NAME.name()).sourceContent("c").build());
  }

  private Meta bound() {
    return cluster.get(Kind.SNAPSHOT_CONTENT, CONTENT).meta();
  }

  @Test
  void bind_contentOfDeletedSnapshot_removesAnnotation() throws InterruptedException {
    content(Uid.NONE, 0);
    VolumeSnapshot snapshot = snapshot();
    steps.start();
    steps.settle();
    assertThat(cluster.get(Kind.SNAPSHOT_CONTENT, CONTENT).belongsTo(snapshot)).isTrue();
    assertThat(bound().hasAnnotation(SnapshotContent.BEING_DELETED)).isFalse();
  }

  @Test
  void sync_boundContentOfDeletedSnapshot_removesAnnotation() throws InterruptedException {
    VolumeSnapshot snapshot = snapshot();
    content(snapshot.meta().uid(), 0);
    steps.start();
    steps.settle();
    assertThat(bound().hasAnnotation(SnapshotContent.BEING_DELETED)).isFalse();
  }

  @Test
  void bind_contentOfDeletedGroup_removesAnnotation() throws InterruptedException {
    GroupSnapshotContent retained =
        cluster.put(
            Kind.GROUP_SNAPSHOT_CONTENT,
            TestObjects.groupSnapshotContent("g")
                .driver("csi.example.com")
                .policy(ReclaimPolicy.RETAIN)
                .group(new SnapshotContent.Ref(NAME, Uid.NONE))
                .annotation(GroupSnapshotContent.BEING_DELETED, "yes")
                .build());
    GroupSnapshot group =
        TestObjects.groupSnapshot(NAME.namespace(), NAME.name()).sourceContent("g").build();
    new GroupWriter(cluster, cluster, time).apply(group, new CommonStep.Bind(retained, ""));
    GroupSnapshotContent current = cluster.get(Kind.GROUP_SNAPSHOT_CONTENT, retained.key());
    assertThat(current.belongsTo(group)).isTrue();
    assertThat(current.meta().hasAnnotation(GroupSnapshotContent.BEING_DELETED)).isFalse();
  }

  /** The driver may be deleting the data. */
  @Test
  void bind_contentBeingDeleted_isRefusedWithEvent() throws InterruptedException {
    content(Uid.NONE, 2);
    VolumeSnapshot snapshot = snapshot();
    steps.start();
    steps.settle();
    assertThat(cluster.get(Kind.SNAPSHOT_CONTENT, CONTENT).belongsTo(snapshot)).isFalse();
    assertThat(cluster.events())
        .anySatisfy(event -> {
          assertThat(event.reason()).isEqualTo("SnapshotContentMisbound");
          assertThat(event.note()).contains("[c] is being deleted");
        });
  }
}
