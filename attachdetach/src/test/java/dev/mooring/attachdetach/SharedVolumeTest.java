package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.Attachment;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestWait;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Volumes that many nodes share, and volumes that stop being shared. */
class SharedVolumeTest {
  private static final String V = "kubernetes.io/csi/d^h-v";
  private static final int ROUNDS = 50;

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private AttachDetachController controller;
  private StepwiseController steps;

  private void start() throws InterruptedException {
    controller =
        new AttachDetachController(
            new AttachDetachConfig(Optional.empty(), true, false, Compat.MOORING),
            cluster.informers,
            cluster.ports(time),
            LoadedPlugins.NONE);
    steps = new StepwiseController(controller.spec(), time);
    steps.start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private void await(BooleanSupplier condition) {
    TestWait.until(
        "the condition holds",
        () -> {
          if (condition.getAsBoolean()) {
            return true;
          }
          steps.settle();
          return condition.getAsBoolean();
        });
  }

  private static long countAllocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  /**
   * Measures the allocations of decisions about a volume that many nodes share, while pods on one
   * node start and end.
   */
  private long measureDecision(int nodes) throws InterruptedException {
    cluster.boundVolume("v", "ReadWriteMany");
    for (int i = 0; i < nodes; i++) {
      cluster.node("n" + i, "True", List.of(), List.of(V), Map.of(V, ""));
      cluster.pod(AttachCluster.NS, "p" + i, "n" + i, "v");
    }
    start();
    steps.settle();
    long bytesBefore = 0;
    long decisions = 0;
    for (int i = 0; i < 2 * ROUNDS; i++) {
      if (i == ROUNDS) { // classes and lazy state are loaded by now
        bytesBefore = countAllocatedBytes();
        decisions = 0;
      }
      Pod.Phase phase = i % 2 == 0 ? Pod.Phase.SUCCEEDED : Pod.Phase.RUNNING;
      cluster.pod(AttachCluster.NS, "p1", "uid-p1", "n1", phase, "v");
      while (steps.step("pvcs")) {
        // apply its result
      }
      while (steps.step("attach_detach")) {
        decisions++;
      }
    }
    assertThat(decisions).as("one decision per change").isEqualTo(ROUNDS);
    return (countAllocatedBytes() - bytesBefore) / ROUNDS;
  }

  @Test
  void decision_thousandNodes_allocatesLikeTenNodes() throws Exception {
    measureDecision(10); // warm-up
    steps.close();
    long bytesWith10 = measureDecision(10);
    steps.close();
    long bytesWith1000 = measureDecision(1000);
    assertThat(bytesWith1000)
        .as("allocated bytes per decision with 1,000 nodes, with 10: " + bytesWith10)
        .isLessThan(2 * bytesWith10);
  }

  private Optional<Attachment> attachment(String node) {
    for (Attachment attachment : cluster.attachments.snapshot().objects()) {
      if (attachment.nodeName().equals(node)) {
        return Optional.of(attachment);
      }
    }
    return Optional.empty();
  }

  private void attachByDriver(String node) throws InterruptedException {
    await(() -> attachment(node).isPresent());
    Attachment attachment = attachment(node).orElseThrow();
    cluster.attachment(attachment.key(), "v", node, false, true, "", "");
    await(() ->
        cluster
            .nodes
            .snapshot()
            .get(ObjectKey.cluster(node))
            .orElseThrow()
            .volumesAttached()
            .containsKey(V));
  }

  /** The PersistentVolume was created again for the same disk, with other access modes. */
  @Test
  void sharedVolume_becomesExclusive_waitsForAllDetaches() throws Exception {
    cluster.finalizers = true;
    cluster.boundVolume("v", "ReadWriteMany");
    cluster.node("n1");
    cluster.node("n2");
    cluster.node("n3");
    start();
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    Pod secondPod = cluster.pod(AttachCluster.NS, "b", "n2", "v");
    attachByDriver("n1");
    attachByDriver("n2");
    cluster.remove(cluster.pods, firstPod);
    cluster.remove(cluster.pods, secondPod);
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.pod(AttachCluster.NS, "c", "n3", "v");
    await(() ->
        attachment("n1").orElseThrow().meta().isBeingDeleted()
            && attachment("n2").orElseThrow().meta().isBeingDeleted());
    cluster.remove(cluster.attachments, attachment("n1").orElseThrow());
    steps.settle();
    assertThat(attachment("n3")).as("n2 has it").isEmpty();
    cluster.remove(cluster.attachments, attachment("n2").orElseThrow());
    await(() -> attachment("n3").isPresent());
  }

  /** No node waits for a decision that was due for the exclusive volume. */
  @Test
  void exclusiveVolume_becomesShared_goesToAllNodes() throws Exception {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.node("n1");
    cluster.node("n2");
    cluster.node("n3");
    start();
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    attachByDriver("n1");
    Pod secondPod = cluster.pod(AttachCluster.NS, "b", "n2", "v");
    steps.settle();
    assertThat(attachment("n2")).as("n1 has it").isEmpty();
    cluster.remove(cluster.pods, firstPod);
    cluster.remove(cluster.pods, secondPod);
    cluster.boundVolume("v", "ReadWriteMany");
    cluster.pod(AttachCluster.NS, "c", "n2", "v");
    cluster.pod(AttachCluster.NS, "d", "n3", "v");
    await(() -> attachment("n2").isPresent() && attachment("n3").isPresent());
    await(() -> attachment("n1").orElseThrow().meta().isBeingDeleted());
  }

  /** Many changes of one volume in a moment are no hot loop, and delay no pod. */
  @Test
  void rollout_thousandNodes_isNotDelayed() throws Exception {
    cluster.boundVolume("v", "ReadWriteMany");
    for (int i = 0; i < 1000; i++) {
      cluster.node("n" + i);
    }
    start();
    for (int i = 0; i < 1000; i++) {
      cluster.pod(AttachCluster.NS, "p" + i, "n" + i, "v");
      steps.step("pvcs");
      steps.step("attach_detach");
    }
    await(() -> cluster.attachments.snapshot().size() == 1000); // no time has passed
  }

  /** The end of the last use is decided separately and leaves nothing behind. */
  @Test
  void sharedVolume_lastPodOfNodeEnds_isDetachedFromThatNodeOnly() throws Exception {
    cluster.boundVolume("v", "ReadWriteMany");
    cluster.node("n1");
    cluster.node("n2");
    start();
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    cluster.pod(AttachCluster.NS, "b", "n2", "v");
    attachByDriver("n1");
    attachByDriver("n2");
    cluster.remove(cluster.pods, firstPod);
    await(() -> attachment("n1").orElseThrow().meta().isBeingDeleted());
    cluster.remove(cluster.attachments, attachment("n1").orElseThrow());
    steps.settle();
    assertThat(attachment("n2").orElseThrow().meta().isBeingDeleted()).isFalse();
  }
}
