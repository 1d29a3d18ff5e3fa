package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.RecordingRequeue;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.StatusWrites.FlushResult;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Compat;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Writes of node statuses, merged ones included. */
class NodeStatusWriterTest {
  private final StateOfWorld state = new StateOfWorld();
  private final ActualStateOfWorld actual = state.actual();
  private final AttachCluster cluster = new AttachCluster();
  private final SimTime time = new SimTime();
  private final RecordingRequeue queues = new RecordingRequeue();
  private final NodeStatusWriter statusWriter =
      new NodeStatusWriter(state, cluster.nodes, cluster.ports(time), queues, Compat.MOORING);

  private static VolumeId volume(int i) {
    return VolumeId.csi("d", "v" + i);
  }

  private java.util.Map<String, String> listedVolumes(String node) {
    return cluster.nodes.snapshot().get(ObjectKey.cluster(node)).orElseThrow().volumesAttached();
  }

  /** Blocks a write until it may continue. */
  private static void blockUntil(CountDownLatch writeLatch, CountDownLatch continueLatch) {
    writeLatch.countDown();
    try {
      continueLatch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void replaceNode(Node oldNode) {
    cluster.remove(cluster.nodes, oldNode);
    cluster.put(
        Kind.NODE,
        TestObjects.node(TestObjects.metaOf(oldNode.key()).uid("another").meta()).build());
  }

  @Test
  void flush_oneNode_writesOnlyThatNode() throws Exception {
    cluster.node("n1");
    cluster.node("n2");
    actual.setAttached(volume(1), "n1", "", null);
    actual.setAttached(volume(2), "n2", "", null);
    assertThat(statusWriter.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(listedVolumes("n1")).containsOnlyKeys(volume(1).text());
    assertThat(listedVolumes("n2")).isEmpty();
  }

  @Test
  void flush_emptyList_writesNull() throws Exception {
    cluster.node("n1");
    actual.setAttached(volume(1), "n1", "", null);
    statusWriter.flush("n1");
    actual.remove(volume(1), "n1");
    assertThat(statusWriter.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(listedVolumes("n1")).isEmpty();
    assertThat(cluster.statusPatches().getLast().members().get("status"))
        .hasToString("{volumesAttached=null}");
  }

  /** A relist that contains a later foreign write arrived before the answer to our write. */
  @Test
  void flush_laterForeignWrite_requeuesForeignStatus() throws Exception {
    Map<String, String> foreignList = Map.of(volume(1).text(), "");
    cluster.node("n1", "True", List.of(), List.of(), foreignList);
    cluster.beforeAnswer =
        () -> cluster.node("n1", "True", List.of(), List.of(), foreignList); // a later version
    assertThat(statusWriter.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(queues.foreignStatuses).containsExactly("n1");
    cluster.beforeAnswer = () -> {};
    assertThat(statusWriter.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(queues.foreignStatuses).as("the list is correct now").hasSize(1);
  }

  /** For example a heartbeat that the cache does not show yet. */
  @Test
  void flush_conflict_readsNodeAndWritesAgain() throws Exception {
    cluster.node("n1");
    actual.setAttached(volume(1), "n1", "", null);
    cluster.onStatus =
        patch -> {
          cluster.onStatus = null;
          return new WriteResult.Written<>(
              cluster.node("n1", "True", List.of(), List.of("in/use/1"), Map.of()));
        };
    assertThat(statusWriter.flush("n1"))
        .isInstanceOfSatisfying(
            FlushResult.Done.class, done -> assertThat(done.node().volumesInUse()).hasSize(1));
    assertThat(listedVolumes("n1")).containsOnlyKeys(volume(1).text());
    assertThat(cluster.statusPatches()).hasSize(2);
  }

  @Test
  void flush_repeatedConflicts_fails() throws Exception {
    cluster.node("n1");
    actual.setAttached(volume(1), "n1", "", null);
    cluster.onStatus = patch -> new WriteResult.Conflict<>("another client was first");
    assertThat(statusWriter.flush("n1"))
        .isEqualTo(
            new FlushResult.Failed("writing the status of node n1: another client was first"));
    assertThat(cluster.statusPatches()).hasSize(6);
  }

  @Test
  void flush_otherNodeOfThatName_isNotWritten() throws Exception {
    Node oldNode = cluster.node("n1");
    actual.setAttached(volume(1), "n1", "", null);
    cluster.onStatus =
        patch -> {
          cluster.remove(cluster.nodes, oldNode);
          replaceNode(oldNode);
          return new WriteResult.Conflict<>("not that node");
        };
    assertThat(statusWriter.flush("n1")).isInstanceOf(FlushResult.Failed.class);
    assertThat(cluster.statusPatches()).hasSize(1);
    assertThat(listedVolumes("n1")).isEmpty();
  }

  /**
   * The patch of a killed process, or a patch that this process abandoned, would make a kubelet
   * mount what it lists.
   */
  @Test
  void flushInvalidating_earlierPatchArrivesLate_isRejected() throws Exception {
    cluster.node("n1");
    actual.setAttached(volume(1), "n1", "", null);
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    statusWriter.flush("n1");
    Document latePatch = cluster.statusPatches().getLast();
    cluster.onStatus = null;
    actual.setListed(volume(1), "n1", false);
    assertThat(statusWriter.flush("n1"))
        .as("nothing to write")
        .isEqualTo(new FlushResult.Done(null));
    assertThat(statusWriter.flushInvalidating("n1"))
        .isInstanceOfSatisfying(
            FlushResult.Done.class, done -> assertThat(done.node().volumesAttached()).isEmpty());
    assertThat(cluster.statusPatches()).as("placeholder, then the list").hasSize(3);
    assertThat(cluster.server.patchStatus(Kind.NODE, ObjectKey.cluster("n1"), latePatch))
        .isInstanceOf(WriteResult.Conflict.class);
    assertThat(listedVolumes("n1")).isEmpty();
  }

  /** One invalidation is enough: no process sends older patches after it. */
  @Test
  void flushInvalidating_repeated_writesOnceUnlessUnanswered() throws Exception {
    cluster.node("n1");
    statusWriter.flushInvalidating("n1");
    statusWriter.flushInvalidating("n1");
    assertThat(cluster.statusPatches()).hasSize(2);
    actual.setAttached(volume(1), "n1", "", null);
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    statusWriter.flush("n1");
    cluster.onStatus = null;
    actual.remove(volume(1), "n1");
    statusWriter.flushInvalidating("n1");
    assertThat(cluster.statusPatches()).hasSize(5);
  }

  /** One caller waits for an invalidating write; a plain write starts first. */
  @Test
  void flush_concurrentFlushInvalidating_getsInvalidatingAnswer() throws Exception {
    cluster.node("n1");
    CountDownLatch writeLatch = new CountDownLatch(1);
    CountDownLatch continueLatch = new CountDownLatch(1);
    cluster.onStatus =
        patch -> {
          blockUntil(writeLatch, continueLatch);
          cluster.onStatus = null;
          return new WriteResult.Unreachable<>("no answer");
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<FlushResult> first = threads.submit(() -> statusWriter.flushInvalidating("n1"));
      writeLatch.await();
      Future<FlushResult> second = threads.submit(() -> statusWriter.flush("n1"));
      TestWait.until("it waits for its turn", () -> time.pendingTimers() > 0);
      continueLatch.countDown();
      assertThat(first.get()).isInstanceOf(FlushResult.Failed.class);
      assertThat(second.get())
          .as("a shared write invalidates if one caller needs it")
          .isInstanceOfSatisfying(
              FlushResult.Done.class, done -> assertThat(done.node().volumesAttached()).isEmpty());
    }
    assertThat(cluster.statusPatches()).as("unanswered write, placeholder, list").hasSize(3);
  }

  /** A watch broke: a node that only the cache lacks can still receive a late patch. */
  @Test
  void flushInvalidating_nodeMissingInCache_isRead() throws Exception {
    Node node = cluster.node("n1");
    cluster.remove(cluster.nodes, node);
    cluster.isMute = true;
    assertThat(statusWriter.flush("n1")).isEqualTo(new FlushResult.Done(null));
    assertThat(statusWriter.flushInvalidating("n1"))
        .isEqualTo(new FlushResult.Failed("writing the status of node n1: no answer"));
    cluster.isMute = false;
    assertThat(statusWriter.flushInvalidating("n1")).isEqualTo(new FlushResult.Done(null));
  }

  /** A webhook that knows all volumes rejects the placeholder. */
  @Test
  void flushInvalidating_placeholderRejected_succeeds() throws Exception {
    cluster.node("n1");
    cluster.onStatus = patch -> new WriteResult.Rejected<>(422, "no such volume");
    assertThat(statusWriter.flushInvalidating("n1")).isEqualTo(new FlushResult.Done(null));
    actual.setAttached(volume(1), "n1", "", null);
    assertThat(statusWriter.flushInvalidating("n1"))
        .as("the placeholder was sent")
        .isInstanceOf(FlushResult.Failed.class);
  }

  @Test
  void flushInvalidating_compatKubernetes_listsNoPlaceholder() throws Exception {
    cluster.node("n1");
    NodeStatusWriter kubernetesWriter =
        new NodeStatusWriter(state, cluster.nodes, cluster.ports(time), queues, Compat.KUBERNETES);
    assertThat(kubernetesWriter.flushInvalidating("n1")).isEqualTo(new FlushResult.Done(null));
    assertThat(cluster.statusPatches()).isEmpty();
  }

  @Test
  void flushInvalidating_changedList_needsNoPlaceholder() throws Exception {
    cluster.node("n1");
    actual.setAttached(volume(1), "n1", "", null);
    statusWriter.flushInvalidating("n1");
    actual.setListed(volume(1), "n1", false);
    statusWriter.flushInvalidating("n1");
    assertThat(cluster.statusPatches()).hasSize(2);
  }

  /** The Node of another machine may have the same name. */
  @Test
  void flushInvalidating_recreatedNode_invalidatesAgain() throws Exception {
    Node oldNode = cluster.node("n1");
    statusWriter.flushInvalidating("n1");
    replaceNode(oldNode);
    statusWriter.flushInvalidating("n1");
    assertThat(cluster.statusPatches()).hasSize(4);
  }

  @Test
  void flush_unchangedList_isNotWritten() throws Exception {
    cluster.node("n1");
    actual.setAttached(volume(1), "n1", "", null);
    statusWriter.flush("n1");
    statusWriter.flush("n1");
    assertThat(cluster.statusPatches()).hasSize(1);
  }

  @Test
  void flush_writeUnanswered_fails() throws Exception {
    cluster.node("n1");
    actual.setAttached(volume(1), "n1", "", null);
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    assertThat(statusWriter.flush("n1"))
        .isEqualTo(new FlushResult.Failed("writing the status of node n1: no answer"));
    cluster.onStatus = null;
    assertThat(statusWriter.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(listedVolumes("n1")).hasSize(1);
  }

  @Test
  void flush_absentNode_isDone() throws Exception {
    actual.setAttached(volume(1), "n1", "", null);
    assertThat(statusWriter.flush("n1")).isInstanceOf(FlushResult.Done.class);
    assertThat(cluster.statusPatches()).isEmpty();
  }

  /** A hundred changes of one node during a write cause one more write. */
  @Test
  void flush_changesDuringWrite_shareNextWrite() throws Exception {
    cluster.node("n1");
    CountDownLatch writeLatch = new CountDownLatch(1);
    CountDownLatch continueLatch = new CountDownLatch(1);
    cluster.onStatus =
        patch -> {
          blockUntil(writeLatch, continueLatch);
          return new WriteResult.Written<>(cluster.nodes.snapshot().objects().iterator().next());
        };
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      actual.setAttached(volume(0), "n1", "", null);
      List<Future<FlushResult>> results = new ArrayList<>();
      results.add(threads.submit(() -> statusWriter.flush("n1")));
      writeLatch.await();
      CountDownLatch startLatch = new CountDownLatch(100);
      for (int i = 1; i <= 100; i++) {
        int n = i;
        results.add(
            threads.submit(() -> {
              actual.setAttached(volume(n), "n1", "", null);
              startLatch.countDown();
              return statusWriter.flush("n1");
            }));
      }
      startLatch.await();
      continueLatch.countDown();
      for (Future<FlushResult> result : results) {
        assertThat(assertTimeoutPreemptively(TestWait.LONGEST, () -> result.get()))
            .isInstanceOf(FlushResult.Done.class);
      }
    }
    assertThat(listedVolumes("n1")).hasSize(101);
    assertThat(cluster.statusPatches())
        .hasSizeBetween(2, 4); // some may start after the second write
  }
}
