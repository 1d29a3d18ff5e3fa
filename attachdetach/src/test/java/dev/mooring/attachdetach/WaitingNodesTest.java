package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Attachment;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Pods on two nodes wait for an exclusive volume. Both kubelets list it in use, as they do for
 * waiting pods. One node gets it.
 */
class WaitingNodesTest {
  private static final VolumeId ID = VolumeId.csi("d", "h-v");
  private static final String UNIQUE = ID.text();

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private Optional<Duration> verifyEvery = Optional.of(Duration.ofMinutes(1));
  private StepwiseController steps;

  @BeforeEach
  void putVolume() {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n1", UNIQUE);
    cluster.node("n2", UNIQUE);
  }

  private void begin() throws InterruptedException {
    steps = cluster.begin(time, new AttachDetachConfig(verifyEvery, true, false, Compat.MOORING));
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  /** Waits while time advances; operations run on their own threads. */
  private void awaitLater(BooleanSupplier condition) {
    TestWait.until(
        "the condition holds",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return steps.stepTo(condition);
        });
  }

  private void minutes(int minutes) throws InterruptedException {
    for (int i = 0; i < 12 * minutes; i++) {
      time.advance(Duration.ofSeconds(5));
      steps.settle();
    }
  }

  private static ObjectKey name(String node) {
    return ID.csi().orElseThrow().attachment(node);
  }

  private Optional<Attachment> attachment(String node) {
    return cluster.attachments.snapshot().get(name(node));
  }

  private boolean isAttachmentRequested(String node) {
    return attachment(node).filter(one -> !one.meta().isBeingDeleted()).isPresent();
  }

  private void attachment(String node, boolean attached, String error) {
    cluster.attachment(name(node), "v", node, false, attached, error, "");
  }

  private void deleteAttachment(String node) {
    cluster.remove(cluster.attachments, attachment(node).orElseThrow());
  }

  private void pods(Pod.Phase first) {
    cluster.pod(AttachCluster.NS, "a", "uid-a", "n1", first, "v");
    cluster.pod(AttachCluster.NS, "b", "uid-b", "n2", Pod.Phase.PENDING, "v");
  }

  private Set<String> listed(String node) {
    return cluster.nodes.get(ObjectKey.cluster(node)).orElseThrow().volumesAttached().keySet();
  }

  /** The first node's status lists the volume, and a client deleted its attachment. */
  @Test
  void foundAttachment_deleted_doesNotBlockListedNode() throws Exception {
    attachment("n2", false, "");
    cluster.node("n1", "True", List.of(), List.of(UNIQUE), Map.of(UNIQUE, ""));
    pods(Pod.Phase.PENDING);
    begin();
    minutes(2);
    assertThat(isAttachmentRequested("n1")).as("while the other has an attachment").isFalse();
    deleteAttachment("n2");
    awaitLater(() -> isAttachmentRequested("n1"));
    assertThat(isAttachmentRequested("n2")).isFalse();
  }

  /** The same with a running pod. */
  @Test
  void foundAttachment_deleted_doesNotBlockNodeWithRunningPod() throws Exception {
    attachment("n2", false, "");
    pods(Pod.Phase.RUNNING);
    begin();
    minutes(2);
    deleteAttachment("n2");
    awaitLater(() -> isAttachmentRequested("n1"));
    assertThat(isAttachmentRequested("n2")).isFalse();
  }

  /** Both attachments were found, and both detaches were running when the pods came. */
  @Test
  void foundAttachments_bothDetached_blockNoNode() throws Exception {
    cluster.node("n1");
    cluster.node("n2");
    attachment("n1", true, "");
    attachment("n2", true, "");
    begin();
    awaitLater(() -> !isAttachmentRequested("n1") && !isAttachmentRequested("n2"));
    pods(Pod.Phase.PENDING);
    cluster.node("n1", UNIQUE);
    cluster.node("n2", UNIQUE);
    minutes(3);
    deleteAttachment("n1");
    deleteAttachment("n2");
    awaitLater(() -> isAttachmentRequested("n1") || isAttachmentRequested("n2"));
    assertThat(isAttachmentRequested("n1") && isAttachmentRequested("n2"))
        .as("only one node gets it")
        .isFalse();
  }

  /** A late request of an earlier process listed the volume for a moment; nothing else changes. */
  @Test
  void foundAttachment_afterRemovalOfLateList_blocksNoNode() throws Exception {
    verifyEvery = Optional.empty();
    attachment("n1", false, "");
    attachment("n2", false, "");
    pods(Pod.Phase.PENDING);
    begin();
    steps.settle();
    cluster.node("n1", "True", List.of(), List.of(UNIQUE), Map.of(UNIQUE, ""));
    deleteAttachment("n1");
    attachment("n2", true, "");
    awaitLater(() -> listed("n2").contains(UNIQUE));
    assertThat(listed("n1")).isEmpty();
  }

  /** An init container has the volume mounted although the pod is not running yet. */
  @Test
  void runningInitContainer_countsAsMounted() throws Exception {
    attachment("n1", false, "");
    attachment("n2", false, "");
    pods(Pod.Phase.PENDING);
    cluster.containersRun("a");
    begin();
    minutes(1);
    deleteAttachment("n1");
    attachment("n2", true, "");
    minutes(2);
    assertThat(listed("n2")).isEmpty();
  }

  @Test
  void node_whoseAttachmentIsRejected_passesTheTurn() throws Exception {
    cluster.onCreate = new WriteResult.Rejected<>(403, "no attachments to n1");
    cluster.pod(AttachCluster.NS, "a", "uid-a", "n1", Pod.Phase.PENDING, "v");
    begin();
    minutes(1);
    cluster.onCreate = null;
    cluster.pod(AttachCluster.NS, "b", "uid-b", "n2", Pod.Phase.PENDING, "v");
    awaitLater(() -> isAttachmentRequested("n2"));
  }
}
