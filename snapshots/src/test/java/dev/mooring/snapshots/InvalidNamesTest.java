package dev.mooring.snapshots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.Document;
import dev.mooring.informer.Informer;
import dev.mooring.informer.Reflector;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.GivenListWatch;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Names that no object can have: the API server accepts them in specs. */
class InvalidNamesTest {
  private static final ObjectKey NAME = new ObjectKey("default", "s");
  private static final String INVALID = "my content";

  private final SimTime time = new SimTime();
  private final FaultyCluster server = new FaultyCluster();
  private final InMemoryCluster cluster = server.cluster();
  private final StepwiseController steps = GivenSnapshotController.create(server, time, true);

  private <T extends Resource> void sync(Informer<T> informer) throws InterruptedException {
    Reflector<T> reflector = new Reflector<>(informer, GivenListWatch.empty(), time, () -> 0);
    reflector.start();
    informer.awaitSynced();
    reflector.stop();
  }

  @BeforeEach
  void start() throws InterruptedException {
    sync(cluster.informers().of(Kind.GROUP_SNAPSHOT));
    sync(cluster.informers().of(Kind.GROUP_SNAPSHOT_CLASS));
    sync(cluster.informers().of(Kind.GROUP_SNAPSHOT_CONTENT));
    steps.start();
  }

  private boolean exists(Kind<?> kind) {
    return cluster.readWhole(kind, NAME).toOptional().isPresent();
  }

  @Test
  void delete_snapshotOfInvalidContent_isReleased() throws InterruptedException {
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(NAME.namespace(), NAME.name())
            .sourceContent(INVALID)
            .finalizer(VolumeSnapshot.SOURCE_PROTECTION)
            .deleting()
            .build());
    steps.settle();
    assertThat(exists(Kind.SNAPSHOT)).isFalse();
  }

  @Test
  void delete_memberOfInvalidGroup_isReleased() throws InterruptedException {
    cluster.put(
        Kind.SNAPSHOT,
        TestObjects.volumeSnapshot(NAME.namespace(), NAME.name())
            .sourceClaim("a")
            .finalizer(VolumeSnapshot.GROUP_PROTECTION)
            .build());
    Map<String, Object> owner =
        Map.of(
            "apiVersion",
            Kind.GROUP_SNAPSHOT.apiVersion(),
            "kind",
            Kind.GROUP_SNAPSHOT.kind(),
            "name",
            INVALID,
            "uid",
            "g");
    cluster.patch(
        Kind.SNAPSHOT, NAME, Document.empty().set(List.of(owner), "metadata", "ownerReferences"));
    cluster.delete(Kind.SNAPSHOT, NAME, cluster.get(Kind.SNAPSHOT, NAME).meta().uid());
    steps.settle();
    assertThat(exists(Kind.SNAPSHOT)).isFalse();
  }

  @Test
  void delete_groupOfInvalidContent_isReleased() throws InterruptedException {
    cluster.put(
        Kind.GROUP_SNAPSHOT,
        TestObjects.groupSnapshot(NAME.namespace(), NAME.name())
            .sourceContent(INVALID)
            .finalizer(GroupSnapshot.BOUND_PROTECTION)
            .deleting()
            .build());
    steps.settle();
    assertThat(exists(Kind.GROUP_SNAPSHOT)).isFalse();
  }
}
