package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The driver fails to attach a volume to the nodes whose pods wait for it. Their kubelets list it
 * in use, as they do for waiting pods.
 */
class FailingTurnTest {
  private static final VolumeId ID = VolumeId.csi("d", "h-v");

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private StepwiseController steps;

  @BeforeEach
  void putNodesAndPods() throws InterruptedException {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n1");
    cluster.node("n2");
    steps =
        cluster.start(
            time,
            new AttachDetachConfig(
                Optional.of(Duration.ofMinutes(1)), true, false, Compat.MOORING));
    steps.settle();
    cluster.pod(AttachCluster.NS, "a", "uid-a", "n1", Pod.Phase.PENDING, "v");
    cluster.pod(AttachCluster.NS, "b", "uid-b", "n2", Pod.Phase.PENDING, "v");
    steps.settle();
    reportInUse("n1");
    reportInUse("n2");
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private void reportInUse(String node) {
    Node cachedNode = cluster.nodes.get(ObjectKey.cluster(node)).orElseThrow();
    cluster.put(Kind.NODE, TestObjects.like(cachedNode).volumesInUse(List.of(ID.text())).build());
  }

  private Optional<Attachment> attachment(String node) {
    return cluster.attachments.snapshot().get(ID.csi().orElseThrow().attachment(node));
  }

  /** The driver fails each attach, and detaches when a VolumeAttachment is deleted. */
  private void simulateFailingDriver() {
    for (Attachment attachment : cluster.attachments.snapshot().objects()) {
      if (attachment.meta().isBeingDeleted()) {
        cluster.remove(cluster.attachments, attachment);
      } else if (attachment.attachError().isEmpty()) {
        cluster.put(
            Kind.ATTACHMENT, TestObjects.like(attachment).attachError("disk is busy").build());
      }
    }
  }

  private void awaitAttachment(String node) {
    TestWait.stepUntil(
        node + " has its turn",
        () -> {
          time.advance(Duration.ofSeconds(1));
          simulateFailingDriver();
          return steps.stepTo(() -> attachment(node).isPresent());
        });
  }

  @Test
  void attach_driverFailsOnBothNodes_nodesTakeTurns() {
    for (int i = 0; i < 3; i++) {
      awaitAttachment("n1");
      assertThat(attachment("n2")).isEmpty();
      awaitAttachment("n2");
      assertThat(attachment("n1")).isEmpty();
    }
  }

  /** The kubelet may have mounted a volume that any client listed for a moment. */
  @Test
  void attach_statusListedVolume_nodeKeepsTurn() throws Exception {
    awaitAttachment("n1");
    cluster.node("n1", "True", List.of(), List.of(ID.text()), Map.of(ID.text(), ""));
    cluster.node("n1", "True", List.of(), List.of(ID.text()), Map.of());
    for (int i = 0; i < 60; i++) {
      time.advance(Duration.ofSeconds(5));
      simulateFailingDriver();
      steps.settle();
    }
    assertThat(attachment("n2")).isEmpty();
  }

  @Test
  void attach_containerRuns_nodeKeepsTurn() throws Exception {
    awaitAttachment("n1");
    cluster.startContainers("a");
    for (int i = 0; i < 60; i++) {
      time.advance(Duration.ofSeconds(5));
      simulateFailingDriver();
      steps.settle();
    }
    assertThat(attachment("n2")).isEmpty();
  }
}
