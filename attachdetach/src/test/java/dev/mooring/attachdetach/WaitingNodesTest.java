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
  private static final String UNIQUE_NAME = ID.text();

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private Optional<Duration> verificationPeriod = Optional.of(Duration.ofMinutes(1));
  private StepwiseController steps;

  @BeforeEach
  void putVolume() {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n1", UNIQUE_NAME);
    cluster.node("n2", UNIQUE_NAME);
  }

  private void start() throws InterruptedException {
    steps =
        cluster.start(
            time, new AttachDetachConfig(verificationPeriod, true, false, Compat.MOORING));
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  /** Waits while time advances; operations run on their own threads. */
  private void awaitWithTime(BooleanSupplier condition) {
    TestWait.stepUntil(
        "the condition holds",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return steps.stepTo(condition);
        });
  }

  private void advanceMinutes(int minutes) throws InterruptedException {
    for (int i = 0; i < 12 * minutes; i++) {
      time.advance(Duration.ofSeconds(5));
      steps.settle();
    }
  }

  private static ObjectKey attachmentKey(String node) {
    return ID.csi().orElseThrow().attachment(node);
  }

  private Optional<Attachment> attachment(String node) {
    return cluster.attachments.snapshot().get(attachmentKey(node));
  }

  private boolean isAttachmentRequested(String node) {
    return attachment(node).filter(one -> !one.meta().isBeingDeleted()).isPresent();
  }

  private void putAttachment(String node, boolean attached, String error) {
    cluster.attachment(attachmentKey(node), "v", node, false, attached, error, "");
  }

  private void deleteAttachment(String node) {
    cluster.remove(cluster.attachments, attachment(node).orElseThrow());
  }

  private void putPods(Pod.Phase firstPhase) {
    cluster.pod(AttachCluster.NS, "a", "uid-a", "n1", firstPhase, "v");
    cluster.pod(AttachCluster.NS, "b", "uid-b", "n2", Pod.Phase.PENDING, "v");
  }

  private Set<String> listedVolumes(String node) {
    return cluster.nodes.get(ObjectKey.cluster(node)).orElseThrow().volumesAttached().keySet();
  }

  /** The first node's status lists the volume, and a client deleted its attachment. */
  @Test
  void attachment_deletedWhileOtherNodeIsListed_freesThatNode() throws Exception {
    putAttachment("n2", false, "");
    cluster.node("n1", "True", List.of(), List.of(UNIQUE_NAME), Map.of(UNIQUE_NAME, ""));
    putPods(Pod.Phase.PENDING);
    start();
    advanceMinutes(2);
    assertThat(isAttachmentRequested("n1")).as("while the other has an attachment").isFalse();
    deleteAttachment("n2");
    awaitWithTime(() -> isAttachmentRequested("n1"));
    assertThat(isAttachmentRequested("n2")).isFalse();
  }

  /** The same with a running pod. */
  @Test
  void attachment_deletedWhilePodRunsElsewhere_freesThatNode() throws Exception {
    putAttachment("n2", false, "");
    putPods(Pod.Phase.RUNNING);
    start();
    advanceMinutes(2);
    deleteAttachment("n2");
    awaitWithTime(() -> isAttachmentRequested("n1"));
    assertThat(isAttachmentRequested("n2")).isFalse();
  }

  /** Both attachments were found, and both detaches were running when the pods came. */
  @Test
  void attachments_bothDetached_blockNoNode() throws Exception {
    cluster.node("n1");
    cluster.node("n2");
    putAttachment("n1", true, "");
    putAttachment("n2", true, "");
    start();
    awaitWithTime(() -> !isAttachmentRequested("n1") && !isAttachmentRequested("n2"));
    putPods(Pod.Phase.PENDING);
    cluster.node("n1", UNIQUE_NAME);
    cluster.node("n2", UNIQUE_NAME);
    advanceMinutes(3);
    deleteAttachment("n1");
    deleteAttachment("n2");
    awaitWithTime(() -> isAttachmentRequested("n1") || isAttachmentRequested("n2"));
    assertThat(isAttachmentRequested("n1") && isAttachmentRequested("n2"))
        .as("only one node gets it")
        .isFalse();
  }

  /** A late request of an earlier process listed the volume for a moment; nothing else changes. */
  @Test
  void attachment_deletedWithLateList_blocksNoNode() throws Exception {
    verificationPeriod = Optional.empty();
    putAttachment("n1", false, "");
    putAttachment("n2", false, "");
    putPods(Pod.Phase.PENDING);
    start();
    steps.settle();
    cluster.node("n1", "True", List.of(), List.of(UNIQUE_NAME), Map.of(UNIQUE_NAME, ""));
    deleteAttachment("n1");
    putAttachment("n2", true, "");
    awaitWithTime(() -> listedVolumes("n2").contains(UNIQUE_NAME));
    assertThat(listedVolumes("n1")).isEmpty();
  }

  /** An init container has the volume mounted although the pod is not running yet. */
  @Test
  void contest_initContainerRuns_blocksOtherNode() throws Exception {
    putAttachment("n1", false, "");
    putAttachment("n2", false, "");
    putPods(Pod.Phase.PENDING);
    cluster.startContainers("a");
    start();
    advanceMinutes(1);
    deleteAttachment("n1");
    putAttachment("n2", true, "");
    advanceMinutes(2);
    assertThat(listedVolumes("n2")).isEmpty();
  }

  @Test
  void attach_creationRejected_nextNodeGetsTurn() throws Exception {
    cluster.onCreate = new WriteResult.Rejected<>(403, "no attachments to n1");
    cluster.pod(AttachCluster.NS, "a", "uid-a", "n1", Pod.Phase.PENDING, "v");
    start();
    advanceMinutes(1);
    cluster.onCreate = null;
    cluster.pod(AttachCluster.NS, "b", "uid-b", "n2", Pod.Phase.PENDING, "v");
    awaitWithTime(() -> isAttachmentRequested("n2"));
  }
}
