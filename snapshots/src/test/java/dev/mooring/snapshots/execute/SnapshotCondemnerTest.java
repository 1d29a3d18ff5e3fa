package dev.mooring.snapshots.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.testkit.FaultyCluster;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotCondemnerTest {
  private final FaultyCluster server = new FaultyCluster();
  private final SnapshotCondemner condemner =
      new SnapshotCondemner(
          new ClusterPorts(
              server,
              server,
              event -> {},
              (key, uid) -> new ReadResult.Found<>(List.of()),
              new SimTime()));

  private static SnapshotContent content(ReclaimPolicy policy) {
    return TestObjects.snapshotContent("c")
        .policy(policy)
        .snapshot(new SnapshotContent.Ref(ObjectKey.of("ns", "s"), Uid.of("s-uid")))
        .uid("c-uid")
        .annotation(Condemnation.UNTIL, "2000-01-01T00:00:00Z")
        .annotation(Condemnation.SNAPSHOT_UID, "s-uid")
        .annotation(SnapshotContent.BEING_DELETED, "yes")
        .finalizer(SnapshotContent.BOUND_PROTECTION)
        .build();
  }

  private SnapshotContent put(ReclaimPolicy policy) {
    return server.cluster().put(Kind.SNAPSHOT_CONTENT, content(policy));
  }

  private boolean isBeingDeleted(SnapshotContent content) {
    return server.cluster().get(Kind.SNAPSHOT_CONTENT, content.key()).meta().isBeingDeleted();
  }

  @Test
  void check_deadlinePassed_deletesContent() throws InterruptedException {
    SnapshotContent content = put(ReclaimPolicy.DELETE);

    assertThat(condemner.check(content)).isPresent();
    assertThat(isBeingDeleted(content)).isTrue();
  }

  @Test
  void check_serverShowsWrongClock_keepsContent() throws InterruptedException {
    SnapshotContent content = put(ReclaimPolicy.DELETE);
    server.onRead(request -> {
      server.setClockAhead(Duration.ofDays(-50 * 365));
      return null;
    });
    for (int i = 0; i < 2; i++) {
      Outcome outcome = condemner.check(content).orElseThrow();
      assertThat(outcome).isInstanceOf(Outcome.CheckAgain.class);
    }
    assertThat(isBeingDeleted(content)).isFalse();
  }

  /** 'mooring undo' sets the policy after the controller has read the content. */
  @Test
  void check_undoneBeforeDeletion_keepsContent() throws InterruptedException {
    SnapshotContent content = put(ReclaimPolicy.DELETE);
    server.onWrite(request -> {
      put(ReclaimPolicy.RETAIN);
      return null;
    });

    assertThat(condemner.check(content)).isPresent();
    assertThat(isBeingDeleted(content)).isFalse();
  }
}
