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
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node without the annotation attaches and detaches its volumes itself. */
class UnmanagedNodesTest {
  private static final VolumeId ID = VolumeId.csi("d", "h-v");

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private StepwiseController steps;

  @BeforeEach
  void putVolumeAndNodes() {
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.unmanagedNode("n1");
    cluster.node("n2");
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private void start(Compat compat) throws InterruptedException {
    steps =
        cluster.start(
            time, new AttachDetachConfig(Optional.of(Duration.ofMinutes(1)), true, false, compat));
  }

  private void advanceMinutes(int minutes) throws InterruptedException {
    for (int i = 0; i < 12 * minutes; i++) {
      time.advance(Duration.ofSeconds(5));
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

  private static ObjectKey attachmentKey(String node) {
    return ID.csi().orElseThrow().attachment(node);
  }

  private Optional<Attachment> attachment(String node) {
    return cluster.attachments.snapshot().get(attachmentKey(node));
  }

  private void attachByKubelet(String node) {
    cluster.attachment(attachmentKey(node), "v", node, false, true, "", "");
  }

  private void assertAttachmentKept(String node) {
    assertThat(attachment(node))
        .get()
        .satisfies(one -> assertThat(one.meta().isBeingDeleted()).isFalse());
  }

  private Pod pod(String name, String node) {
    return cluster.pod(AttachCluster.NS, name, node, "v");
  }

  @ParameterizedTest
  @EnumSource(Compat.class)
  void attachment_podRuns_stays(Compat compat) throws Exception {
    attachByKubelet("n1");
    pod("a", "n1");
    start(compat);
    advanceMinutes(8);
    assertAttachmentKept("n1");
    assertThat(cluster.statusPatches()).isEmpty();
  }

  @Test
  void attachment_appears_stays() throws Exception {
    start(Compat.MOORING);
    steps.settle();
    pod("a", "n1");
    attachByKubelet("n1");
    advanceMinutes(8);
    assertAttachmentKept("n1");
    cluster.pod(AttachCluster.NS, "a", "uid-a", "n1", Pod.Phase.SUCCEEDED, "v");
    advanceMinutes(8);
    assertAttachmentKept("n1");
  }

  /** What an earlier process attached while the node was managed. */
  @ParameterizedTest
  @EnumSource(Compat.class)
  void restart_nodeLostAnnotation_keepsAttachments(Compat compat) throws Exception {
    attachByKubelet("n1");
    cluster.put(
        Kind.NODE,
        TestObjects.like(cluster.nodes.get(ObjectKey.cluster("n1")).orElseThrow())
            .volumesAttached(Map.of(ID.text(), ""))
            .build());
    pod("a", "n1");
    start(compat);
    advanceMinutes(8);
    assertAttachmentKept("n1");
  }

  /** The driver is busy elsewhere, perhaps for long. */
  @Test
  void attachment_notAttachedYet_isNotRead() throws Exception {
    cluster.attachment(attachmentKey("n1"), "v", "n1", false, false, "", "");
    pod("a", "n1");
    start(Compat.MOORING);
    advanceMinutes(8);
    assertAttachmentKept("n1");
    assertThat(cluster.reads()).isEmpty();
  }

  /** As in Kubernetes, until the controller restarts. */
  @Test
  void node_losesAnnotation_staysManaged() throws Exception {
    start(Compat.MOORING);
    steps.settle();
    Node managed = cluster.nodes.get(ObjectKey.cluster("n2")).orElseThrow();
    cluster.put(
        Kind.NODE,
        TestObjects.like(managed)
            .meta(TestObjects.metaOf(managed.key()).uid("uid-n2").created(1).meta())
            .build());
    pod("a", "n2");
    awaitWithTime(() -> attachment("n2").isPresent());
  }

  @Test
  void exclusiveVolume_attachedToUnmanagedNode_waitsForKubeletsDetach() throws Exception {
    attachByKubelet("n1");
    Pod firstPod = pod("a", "n1");
    start(Compat.MOORING);
    pod("b", "n2");
    advanceMinutes(8);
    assertThat(attachment("n2")).isEmpty();
    assertThat(cluster.notes)
        .anySatisfy(
            note -> assertThat(note).contains("Node n1 attaches and detaches its volumes itself"));
    cluster.remove(cluster.pods, firstPod);
    advanceMinutes(1);
    assertThat(attachment("n2")).as("its kubelet has not detached it yet").isEmpty();
    cluster.remove(cluster.attachments, attachment("n1").orElseThrow());
    awaitWithTime(() -> attachment("n2").isPresent());
  }

  @Test
  void exclusiveVolume_podOnUnmanagedNode_isNotAttachedElsewhere() throws Exception {
    pod("a", "n1");
    start(Compat.MOORING);
    pod("b", "n2");
    advanceMinutes(8);
    assertThat(attachment("n2")).isEmpty();
    assertThat(attachment("n1")).as("its kubelet attaches").isEmpty();
  }

  @Test
  void node_becomesManaged_getsVolumes() throws Exception {
    pod("a", "n1");
    start(Compat.MOORING);
    advanceMinutes(1);
    assertThat(attachment("n1")).isEmpty();
    cluster.node("n1");
    awaitWithTime(() -> attachment("n1").isPresent());
  }

  @Test
  void node_deletedUnmanagedNode_getsNoVolume() throws Exception {
    pod("a", "n1");
    start(Compat.MOORING);
    cluster.remove(cluster.nodes, cluster.nodes.get(ObjectKey.cluster("n1")).orElseThrow());
    advanceMinutes(1);
    assertThat(attachment("n1")).isEmpty();
  }
}
