package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects of requests that a controller sent before it was killed. */
class LeftoverAttachmentsTest {
  private static final ObjectKey ATTACHMENT =
      VolumeId.csi("d", "h-v").csi().orElseThrow().attachment("n1");

  private static final ObjectKey FOREIGN = ObjectKey.cluster("made-by-hand");

  private static final String UNIQUE_NAME = "kubernetes.io/csi/d^h-v";

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private StepwiseController steps;

  private void start(Compat compat) throws InterruptedException {
    if (cluster.nodes.snapshot().size() == 0) {
      cluster.node("n1");
    }
    cluster.boundVolume("v", "ReadWriteOnce");
    steps =
        cluster.start(
            time, new AttachDetachConfig(Optional.of(Duration.ofMinutes(1)), true, false, compat));
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private void await(BooleanSupplier condition) {
    TestWait.until("the condition holds", () -> steps.stepTo(condition));
  }

  /** Advances time: a running check is not started again, but the next minute's check is. */
  private void awaitWithTime(BooleanSupplier condition) throws InterruptedException {
    await(() -> {
      time.advance(Duration.ofSeconds(1));
      return condition.getAsBoolean();
    });
  }

  private void advanceMinute() throws InterruptedException {
    await(steps::isIdle);
    time.advance(Duration.ofMinutes(1));
    await(steps::isIdle);
  }

  private boolean isAttachmentGone() {
    return cluster
        .attachments
        .snapshot()
        .get(ATTACHMENT)
        .filter(attachment -> !attachment.meta().isBeingDeleted())
        .isEmpty();
  }

  private Volume volume() {
    return cluster.volumes.snapshot().get(ObjectKey.cluster("v")).orElseThrow();
  }

  /**
   * The killed process added the placeholder to change the resource version, and did not remove it.
   */
  @Test
  void placeholder_ofKilledProcess_isRemoved() throws Exception {
    cluster.node("n1", "True", List.of(), List.of(), Map.of(VolumeId.PLACEHOLDER, ""));
    start(Compat.MOORING);
    await(
        () -> cluster.nodes.get(ObjectKey.cluster("n1")).orElseThrow().volumesAttached().isEmpty());
  }

  @Test
  void attachment_createdAfterVolumeDeletion_isDeleted() throws Exception {
    start(Compat.MOORING);
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(ATTACHMENT, "v", "n1", false, false, "persistentvolume v not found", "");
    advanceMinute();
    await(this::isAttachmentGone);
  }

  @Test
  void attachment_volumeMissingOnlyInCache_stays() throws Exception {
    start(Compat.MOORING);
    cluster.putLive(Kind.VOLUME, volume());
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(ATTACHMENT, "v", "n1", false, false, "", "");
    advanceMinute();
    await(() -> cluster.reads().contains(Kind.VOLUME + " v"));
    await(steps::isIdle);
    assertThat(isAttachmentGone()).isFalse();
  }

  @Test
  void attachment_compatKubernetes_stays() throws Exception {
    start(Compat.KUBERNETES);
    cluster.remove(cluster.volumes, volume());
    cluster.attachment(ATTACHMENT, "v", "n1", false, false, "", "");
    advanceMinute();
    advanceMinute();
    assertThat(isAttachmentGone()).isFalse();
    assertThat(cluster.reads()).isEmpty();
  }

  /** Otherwise the volume would be on two nodes until the next verification. */
  @Test
  void attachment_withoutPod_isDetachedOnFirstEvent() throws Exception {
    start(Compat.MOORING);
    await(steps::isIdle);
    cluster.attachment(ATTACHMENT, "v", "n1", false, false, "", "");
    await(this::isAttachmentGone);
  }

  private static ObjectKey attachmentKey(String node) {
    return VolumeId.csi("d", "h-v").csi().orElseThrow().attachment(node);
  }

  /**
   * A killed process created one attachment too many, and its successor was killed during the
   * deletion. Both kubelets report the volume in use, as they do before a mount.
   */
  private void startWithTwoPossibleHolders() throws InterruptedException {
    cluster.attachment(ATTACHMENT, "v", "n1", true, true, "", "");
    cluster.attachment(attachmentKey("n2"), "v", "n2", false, true, "", "");
    cluster.node("n1", UNIQUE_NAME);
    cluster.node("n2", UNIQUE_NAME);
    pod("a", "n1", Pod.Phase.PENDING);
    pod("b", "n2", Pod.Phase.PENDING);
    start(Compat.MOORING);
    await(steps::isIdle);
    assertThat(listedVolumes("n2")).as("the holder is unknown").isEmpty();
  }

  private void pod(String name, String node, Pod.Phase phase) {
    cluster.pod(AttachCluster.NS, name, "uid-" + name, node, phase, "v");
  }

  private boolean isAttachmentRequested(String node) {
    return cluster.attachments.snapshot().get(attachmentKey(node)).isPresent();
  }

  private void deleteFirstAttachment() {
    cluster.remove(
        cluster.attachments, cluster.attachments.snapshot().get(ATTACHMENT).orElseThrow());
  }

  private Set<String> listedVolumes(String node) {
    return cluster
        .nodes
        .snapshot()
        .get(ObjectKey.cluster(node))
        .orElseThrow()
        .volumesAttached()
        .keySet();
  }

  @Test
  void contest_driverConfirmsOneNode_thatNodeGetsVolume() throws Exception {
    startWithTwoPossibleHolders();
    deleteFirstAttachment();
    awaitWithTime(() -> listedVolumes("n2").contains(UNIQUE_NAME));
    assertThat(listedVolumes("n1")).isEmpty();
  }

  /** The late attachment stays while its pod exists, because the node may use the volume. */
  @Test
  void contest_otherAttachmentRejected_confirmedNodeGetsVolume() throws Exception {
    startWithTwoPossibleHolders();
    cluster.attachment(ATTACHMENT, "v", "n1", false, false, "it is on n2", "");
    awaitWithTime(() -> listedVolumes("n2").contains(UNIQUE_NAME));
    assertThat(listedVolumes("n1")).isEmpty();
  }

  @Test
  void contest_driverConfirmsLater_thatNodeGetsVolume() throws Exception {
    startWithTwoPossibleHolders();
    cluster.attachment(attachmentKey("n2"), "v", "n2", false, false, "", "");
    deleteFirstAttachment();
    advanceMinute();
    assertThat(listedVolumes("n2")).as("the driver has not confirmed it").isEmpty();
    cluster.attachment(attachmentKey("n2"), "v", "n2", false, true, "", "");
    awaitWithTime(() -> listedVolumes("n2").contains(UNIQUE_NAME));
  }

  @Test
  void contest_foreignAttachmentElsewhere_noNodeGetsVolume() throws Exception {
    cluster.attachment(FOREIGN, "v", "n1", false, true, "", "");
    startWithTwoPossibleHolders();
    deleteFirstAttachment();
    advanceMinute();
    advanceMinute();
    assertThat(listedVolumes("n2")).isEmpty();
    cluster.remove(cluster.attachments, cluster.attachments.snapshot().get(FOREIGN).orElseThrow());
    awaitWithTime(() -> listedVolumes("n2").contains(UNIQUE_NAME));
  }

  /** The controller does not delete it, and its node has the volume. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void attach_foreignAttachmentElsewhere_waitsForItsRemoval(boolean isFoundAtStart)
      throws Exception {
    startWithForeignAttachment(Compat.MOORING, isFoundAtStart);
    pod("b", "n2", Pod.Phase.PENDING);
    advanceMinute();
    advanceMinute();
    assertThat(isAttachmentRequested("n2")).isFalse();
    assertThat(cluster.notes)
        .anySatisfy(note ->
            assertThat(note)
                .contains(
                    "VolumeAttachment made-by-hand of another client attaches it to node n1"));
    cluster.remove(cluster.attachments, cluster.attachments.snapshot().get(FOREIGN).orElseThrow());
    await(() -> isAttachmentRequested("n2"));
  }

  @Test
  void attach_foreignAttachmentOnSameNode_doesNotWait() throws Exception {
    startWithForeignAttachment(Compat.MOORING, false);
    pod("a", "n1", Pod.Phase.PENDING);
    await(() -> isAttachmentRequested("n1"));
  }

  @Test
  void attach_foreignAttachmentElsewhereAsInKubernetes_isIgnored() throws Exception {
    startWithForeignAttachment(Compat.KUBERNETES, false);
    pod("b", "n2", Pod.Phase.PENDING);
    await(() -> isAttachmentRequested("n2"));
  }

  private void startWithForeignAttachment(Compat compat, boolean isFoundAtStart)
      throws InterruptedException {
    cluster.node("n1");
    cluster.node("n2");
    if (isFoundAtStart) {
      cluster.attachment(FOREIGN, "v", "n1", false, true, "", "");
    }
    start(compat);
    await(steps::isIdle);
    if (!isFoundAtStart) {
      cluster.attachment(FOREIGN, "v", "n1", false, true, "", "");
    }
  }

  /** Otherwise it would be attached and detached repeatedly while its detach is rejected. */
  @Test
  void contest_withoutPod_noNodeGetsVolume() throws Exception {
    startWithTwoPossibleHolders();
    cluster.onDelete = new WriteResult.Rejected<>(403, "no");
    cluster.remove(
        cluster.pods,
        cluster.pods.snapshot().get(ObjectKey.of(AttachCluster.NS, "b")).orElseThrow());
    await(steps::isIdle);
    deleteFirstAttachment();
    advanceMinute();
    advanceMinute();
    assertThat(listedVolumes("n2")).isEmpty();
  }

  /**
   * The cache does not show yet that the node uses the volume, so a detach is due. The volume
   * stays, and the node's status must list it again; otherwise the other node would get it.
   */
  @Test
  void contest_nodeListsAndUsesVolume_noOtherNodeGetsVolume() throws Exception {
    Map<String, String> volumesAttached = Map.of(UNIQUE_NAME, "");
    cluster.boundVolume("v", "ReadWriteOnce");
    cluster.attachment(ATTACHMENT, "v", "n1", false, true, "", "");
    cluster.attachment(attachmentKey("n2"), "v", "n2", false, false, "it is on n1", "");
    cluster.node("n2", UNIQUE_NAME);
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    cluster.pod(AttachCluster.NS, "b", "n2", "v");
    cluster.node("n1", "True", List.of(), List.of(), volumesAttached);
    start(Compat.MOORING);
    await(steps::isIdle);
    Node usingNode = cluster.node("n1", "True", List.of(), List.of(UNIQUE_NAME), volumesAttached);
    cluster.node("n1", "True", List.of(), List.of(), volumesAttached);
    cluster.putLive(Kind.NODE, usingNode);
    cluster.onStatus =
        patch -> {
          cluster.live.clear(); // the answer contains the real node
          cluster.onStatus = null;
          cluster.node("n1", "True", List.of(), List.of(UNIQUE_NAME), volumesAttached);
          return new WriteResult.Written<>(usingNode);
        };
    deleteFirstAttachment();
    await(() -> cluster.onStatus == null);
    await(steps::isIdle);
    cluster.attachment(attachmentKey("n2"), "v", "n2", false, true, "", "");
    advanceMinute();
    advanceMinute();
    assertThat(listedVolumes("n2")).isEmpty();
    assertThat(listedVolumes("n1")).containsExactly(UNIQUE_NAME);
  }

  @Test
  void contest_otherAttachmentMissingOnlyInCache_noNodeGetsVolume() throws Exception {
    startWithTwoPossibleHolders();
    cluster.putLive(Kind.ATTACHMENT, cluster.attachments.snapshot().get(ATTACHMENT).orElseThrow());
    deleteFirstAttachment();
    advanceMinute();
    await(() -> cluster.reads().contains(Kind.ATTACHMENT + " " + ATTACHMENT));
    await(steps::isIdle);
    assertThat(listedVolumes("n2")).isEmpty();
  }

  @Test
  void contest_podRunsOnOtherNode_noNodeGetsVolume() throws Exception {
    startWithTwoPossibleHolders();
    pod("a", "n1", Pod.Phase.RUNNING);
    deleteFirstAttachment();
    advanceMinute();
    advanceMinute();
    assertThat(listedVolumes("n2")).isEmpty();
  }

  /** A client deleted the attachment, and the node's list does not contain the volume either. */
  @Test
  void use_runningPodWithoutAttachment_nodeKeepsVolume() throws Exception {
    cluster.node("n1", UNIQUE_NAME);
    cluster.node("n2", UNIQUE_NAME);
    pod("a", "n1", Pod.Phase.PENDING);
    pod("b", "n2", Pod.Phase.RUNNING);
    start(Compat.MOORING);
    await(() -> isAttachmentRequested("n2"));
    await(steps::isIdle);
    assertThat(isAttachmentRequested("n1")).as("a running pod on another node uses it").isFalse();
  }

  @Test
  void use_withoutPod_blocksOtherNodes() throws Exception {
    cluster.node("n1", UNIQUE_NAME);
    cluster.node("n2");
    pod("b", "n2", Pod.Phase.PENDING);
    start(Compat.MOORING);
    await(steps::isIdle);
    assertThat(isAttachmentRequested("n2")).as("n1 has not unmounted it yet").isFalse();
    cluster.node("n1");
    await(() -> isAttachmentRequested("n2"));
  }

  /** A kubelet also reports volumes of waiting pods. */
  @Test
  void use_reportedForWaitingPods_isIgnored() throws Exception {
    cluster.node("n1", UNIQUE_NAME);
    cluster.node("n2");
    pod("a", "n2", Pod.Phase.PENDING);
    pod("b", "n1", Pod.Phase.PENDING);
    start(Compat.MOORING);
    await(() -> isAttachmentRequested("n1"));
    await(steps::isIdle);
    assertThat(isAttachmentRequested("n2")).isFalse();
  }

  /** At most one of them can have mounted it, and both would wait for each other. */
  @Test
  void use_twoNodesWithoutPods_isIgnored() throws Exception {
    cluster.node("n1", UNIQUE_NAME);
    cluster.node("n2", UNIQUE_NAME);
    start(Compat.MOORING);
    await(steps::isIdle);
    pod("a", "n1", Pod.Phase.PENDING);
    pod("b", "n2", Pod.Phase.PENDING);
    await(() -> isAttachmentRequested("n1"));
  }

  @Test
  void use_unmanagedNode_isNotRecovered() throws Exception {
    cluster.unmanagedNode("n1", UNIQUE_NAME);
    cluster.node("n2");
    pod("b", "n2", Pod.Phase.PENDING);
    start(Compat.MOORING);
    await(() -> isAttachmentRequested("n2"));
  }

  /** The volume was force-detached from the first node, and its kubelet has not noticed. */
  @Test
  void use_volumeAttachedElsewhere_isNotRecovered() throws Exception {
    cluster.node("n1", UNIQUE_NAME);
    cluster.node("n2", "True", List.of(), List.of(UNIQUE_NAME), Map.of(UNIQUE_NAME, ""));
    cluster.attachment(attachmentKey("n2"), "v", "n2", false, true, "", "");
    pod("b", "n2", Pod.Phase.PENDING);
    start(Compat.MOORING);
    await(steps::isIdle);
    Set<String> listedBefore = listedVolumes("n2");
    pod("c", "n1", Pod.Phase.PENDING);
    await(steps::isIdle);
    assertThat(listedBefore).containsExactly(UNIQUE_NAME);
    assertThat(isAttachmentRequested("n1")).isFalse();
  }

  /** The report may be old: the volumes may have been force-detached since. */
  @Test
  void use_nodeNotReady_isIgnored() throws Exception {
    cluster.node("n1", "Unknown", List.of(), List.of(UNIQUE_NAME), Map.of());
    cluster.node("n2");
    pod("b", "n2", Pod.Phase.PENDING);
    start(Compat.MOORING);
    await(() -> isAttachmentRequested("n2"));
  }
}
