package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.informer.InformerLists;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Node is deleted and created again while its machine keeps running. */
class NewNodeTest {
  private static final VolumeId ID = VolumeId.csi("d", "h-v");
  private static final ObjectKey NODE = ObjectKey.cluster("n1");

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private StepwiseController steps;

  private void startWithAttachedVolume() throws InterruptedException {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n1", "True", List.of(), List.of(ID.text()), Map.of(ID.text(), ""));
    cluster.attachment(ID.csi().orElseThrow().attachment("n1"), "v", "n1", false, true, "", "");
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    start();
  }

  private void start() throws InterruptedException {
    steps =
        cluster.start(
            time,
            new AttachDetachConfig(
                Optional.of(Duration.ofMinutes(1)), true, false, Compat.MOORING));
    steps.settle();
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private Node node() {
    return cluster.nodes.get(NODE).orElseThrow();
  }

  private Attachment attachment() {
    return cluster.attachments.snapshot().objects().iterator().next();
  }

  private void advanceSeconds(int seconds) throws InterruptedException {
    for (int i = 0; i < seconds; i++) {
      time.advance(Duration.ofSeconds(1));
      steps.settle();
    }
  }

  private void awaitWithTime(BooleanSupplier condition) {
    TestWait.stepUntil(
        "the condition holds",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return steps.stepTo(condition);
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeInUse_newNodeNotReady_stays(boolean isDeletionCached) throws Exception {
    startWithAttachedVolume();
    Pod pod = cluster.pods.snapshot().objects().iterator().next();
    if (isDeletionCached) {
      cluster.remove(cluster.nodes, node());
      steps.settle();
    }
    cluster.remove(cluster.pods, pod); // by the garbage collector
    cluster.put(Kind.NODE, newNode("False"));
    advanceSeconds(120);
    assertThat(attachment().meta().isBeingDeleted()).isFalse();

    cluster.put(Kind.NODE, TestObjects.like(node()).ready("True").build());
    awaitWithTime(() -> attachment().meta().isBeingDeleted());
  }

  /** The kubelet reported the use, and the Node was deleted, while the watch was silent. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void volumeInUse_reportMissedByWatch_staysUntilNewNodeReady(boolean isDeletionListed)
      throws Exception {
    startWithAttachedVolume();
    cluster.put(Kind.NODE, TestObjects.like(node()).volumesInUse(List.of()).build());
    steps.settle();
    if (isDeletionListed) {
      InformerLists.relist(cluster.nodes, List.of());
      steps.settle();
    }
    cluster.remove(cluster.pods, cluster.pods.snapshot().objects().iterator().next());
    cluster.put(Kind.NODE, newNode("False"));
    advanceSeconds(300); // after six minutes a forced detach is due
    assertThat(attachment().meta().isBeingDeleted()).isFalse();

    cluster.put(Kind.NODE, TestObjects.like(node()).ready("True").build());
    awaitWithTime(() -> attachment().meta().isBeingDeleted());
  }

  /** The watch delivered the last report of the deleted Node. */
  @Test
  void unusedVolume_deletionSeenByWatch_isDetachedBeforeNewNodeReady() throws Exception {
    startWithAttachedVolume();
    cluster.put(Kind.NODE, TestObjects.like(node()).volumesInUse(List.of()).build());
    cluster.remove(cluster.nodes, node());
    cluster.remove(cluster.pods, cluster.pods.snapshot().objects().iterator().next());
    cluster.put(Kind.NODE, newNode("False"));
    awaitWithTime(() -> attachment().meta().isBeingDeleted());
  }

  @Test
  void volumeInUse_newNodeReportsUse_stays() throws Exception {
    startWithAttachedVolume();
    cluster.remove(cluster.nodes, node());
    cluster.remove(cluster.pods, cluster.pods.snapshot().objects().iterator().next());
    cluster.put(Kind.NODE, newNode("False"));
    advanceSeconds(10);
    cluster.put(
        Kind.NODE, TestObjects.like(node()).ready("True").volumesInUse(List.of(ID.text())).build());
    advanceSeconds(120);
    assertThat(attachment().meta().isBeingDeleted()).isFalse();
  }

  /** The process that started after the earlier Node was deleted never saw its report. */
  @Test
  void volumeInUse_restartBeforeNewNodeReady_stays() throws Exception {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.attachment(ID.csi().orElseThrow().attachment("n1"), "v", "n1", false, true, "", "");
    cluster.put(Kind.NODE, newNode("False"));
    start();
    advanceSeconds(120);
    assertThat(attachment().meta().isBeingDeleted()).isFalse();

    cluster.put(Kind.NODE, TestObjects.like(node()).ready("True").build());
    awaitWithTime(() -> attachment().meta().isBeingDeleted());
  }

  /** The process that started while there was no Node never saw its report. */
  @Test
  void volumeInUse_nodeGoneAtARestart_staysUntilTheNewNodeWasReady() throws Exception {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.attachment(ID.csi().orElseThrow().attachment("n1"), "v", "n1", false, true, "", "");
    start();
    cluster.put(Kind.NODE, newNode("False"));
    advanceSeconds(60);
    cluster.remove(cluster.nodes, node());
    advanceSeconds(60);
    cluster.put(Kind.NODE, newNode("Unknown"));
    advanceSeconds(60);
    assertThat(attachment().meta().isBeingDeleted()).isFalse();

    cluster.put(Kind.NODE, TestObjects.like(node()).ready("True").build());
    awaitWithTime(() -> attachment().meta().isBeingDeleted());
  }

  /** Such a Node's own report shows that it uses nothing. */
  @Test
  void volume_restartWithOlderNodeNotReady_isDetached() throws Exception {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n1", "False", List.of(), List.of(), Map.of());
    cluster.attachment(ID.csi().orElseThrow().attachment("n1"), "v", "n1", false, true, "", "");
    start();
    awaitWithTime(() -> attachment().meta().isBeingDeleted());
  }

  private Node newNode(String ready) {
    return TestObjects.node(
            TestObjects.metaOf(NODE)
                .uid("uid-new")
                .created(2)
                .annotations(
                    Map.of("volumes.kubernetes.io/controller-managed-attach-detach", "true"))
                .meta())
        .ready(ready)
        .build();
  }
}
