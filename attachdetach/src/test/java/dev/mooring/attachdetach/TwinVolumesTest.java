package dev.mooring.attachdetach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.model.AccessModes;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.reconcile.StepwiseController;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import dev.mooring.testkit.TestWait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several PersistentVolumes and inline volumes address one storage volume. */
class TwinVolumesTest {
  private static final VolumeId CSI = VolumeId.csi("d", "h-shared");
  private static final VolumeSource DISK =
      new VolumeSource(
          "iscsi", Map.of("targetPortal", "10.0.0.1:3260", "iqn", "iqn.x", "lun", "2"));
  private static final VolumeId ISCSI = VolumeId.of("kubernetes.io/iscsi", "10.0.0.1:3260:iqn.x:2");
  private static final String TENANT = "tenant";

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private StepwiseController steps;

  @BeforeEach
  void putNodes() {
    cluster.node("n0");
    cluster.node("n1");
    cluster.node("n2");
  }

  @AfterEach
  void stop() throws InterruptedException {
    steps.close();
  }

  private void start() throws InterruptedException {
    steps =
        cluster.start(
            time,
            new AttachDetachConfig(
                Optional.of(Duration.ofMinutes(1)), true, false, Compat.MOORING));
  }

  private void volume(String name, VolumeSource source, String mode) {
    cluster.boundVolume(name, source, Uid.NONE, mode);
  }

  private void csiVolume(String name, String mode) {
    volume(name, VolumeSource.csi("d", "h-shared"), mode);
  }

  private void awaitWithTime(BooleanSupplier condition) {
    TestWait.stepUntil(
        "the condition holds",
        () -> {
          time.advance(Duration.ofSeconds(1));
          return steps.stepTo(condition);
        });
  }

  private void advanceMinute() throws InterruptedException {
    for (int i = 0; i < 12; i++) {
      time.advance(Duration.ofSeconds(5));
      steps.settle();
    }
  }

  /** Returns the nodes whose status lists the volume. */
  private Set<String> findListingNodes(VolumeId id) {
    Set<String> nodes = new TreeSet<>();
    for (Node node : cluster.nodes.snapshot().objects()) {
      if (node.volumesAttached().containsKey(id.text())) {
        nodes.add(node.meta().name());
      }
    }
    return nodes;
  }

  private Optional<Attachment> attachment(String node) {
    return cluster.attachments.snapshot().get(CSI.csi().orElseThrow().attachment(node));
  }

  private void attachByDriver(String node) {
    awaitWithTime(() -> attachment(node).isPresent());
    Attachment attachment = attachment(node).orElseThrow();
    cluster.attachment(attachment.key(), attachment.volumeName(), node, false, true, "", "");
    awaitWithTime(() -> findListingNodes(CSI).contains(node));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void exclusiveVolume_claimAndInlineVolume_isOnOneNode(boolean isTenantFirst) throws Exception {
    volume("v", DISK, "ReadWriteOncePod");
    start();
    if (isTenantFirst) {
      cluster.inlinePod(TENANT, "t", "n0", DISK);
      awaitWithTime(() -> findListingNodes(ISCSI).contains("n0"));
    }
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    if (!isTenantFirst) {
      awaitWithTime(() -> findListingNodes(ISCSI).contains("n1"));
      cluster.inlinePod(TENANT, "t", "n0", DISK);
    }
    cluster.pod(AttachCluster.NS, "b", "n2", "v");
    advanceMinute();
    assertThat(findListingNodes(ISCSI)).hasSize(1);

    cluster.remove(cluster.pods, cluster.pods.get(ObjectKey.of(TENANT, "t")).orElseThrow());
    awaitWithTime(() -> findListingNodes(ISCSI).contains("n1"));
    cluster.remove(cluster.pods, firstPod);
    awaitWithTime(() -> findListingNodes(ISCSI).equals(Set.of("n2")));
  }

  @Test
  void event_inlineVolumeBlocksClaim_namesNode() throws Exception {
    volume("v", DISK, "ReadWriteOnce");
    start();
    cluster.inlinePod(TENANT, "t", "n0", DISK);
    awaitWithTime(() -> findListingNodes(ISCSI).contains("n0"));
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    advanceMinute();
    assertThat(cluster.notes)
        .anySatisfy(note ->
            assertThat(note)
                .startsWith("Multi-Attach error for volume \"v\" ")
                .contains("1 pod(s) in different namespaces")
                .contains("address the same storage without this PersistentVolume")
                .contains("mooring explain node/n0"));
  }

  @Test
  void event_claimBlocksInlineVolume_doesNotNameClaimsVolume() throws Exception {
    volume("secret-name", DISK, "ReadWriteOnce");
    start();
    cluster.pod(AttachCluster.NS, "a", "n1", "secret-name");
    awaitWithTime(() -> findListingNodes(ISCSI).contains("n1"));
    cluster.takeNotes();
    cluster.inlinePod(TENANT, "t", "n0", DISK);
    advanceMinute();
    assertThat(cluster.notes)
        .isNotEmpty()
        .noneSatisfy(note -> assertThat(note).contains("secret-name"));
  }

  /** A claim's pod that moves gets the volume before an inline volume that has waited longer. */
  @Test
  void attach_claimAndInlineVolumeWait_claimGoesFirst() throws Exception {
    volume("v", DISK, "ReadWriteOnce");
    start();
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "v");
    awaitWithTime(() -> findListingNodes(ISCSI).contains("n1"));
    cluster.inlinePod(TENANT, "t", "n0", DISK);
    advanceMinute();
    cluster.pod(AttachCluster.NS, "b", "n2", "v");
    advanceMinute();
    cluster.remove(cluster.pods, firstPod);
    awaitWithTime(() -> findListingNodes(ISCSI).contains("n2"));
    assertThat(findListingNodes(ISCSI)).containsExactly("n2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void twins_oneIsExclusive_areOnOneNode(boolean isSharedFirst) throws Exception {
    csiVolume("rox", "ReadOnlyMany");
    csiVolume("rwo", "ReadWriteOnce");
    start();
    cluster.pod(AttachCluster.NS, "a", "n1", isSharedFirst ? "rox" : "rwo");
    attachByDriver("n1");
    cluster.pod(AttachCluster.NS, "b", "n2", isSharedFirst ? "rwo" : "rox");
    advanceMinute();
    assertThat(attachment("n2")).as("n1 has it").isEmpty();
  }

  /** The kubelet still has the volume mounted after the exclusive pod has ended. */
  @Test
  void twins_exclusivePodEndedAndVolumeInUse_waitForNode() throws Exception {
    csiVolume("rox", "ReadOnlyMany");
    csiVolume("rwo", "ReadWriteOnce");
    start();
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "rwo");
    attachByDriver("n1");
    cluster.node("n1", "True", List.of(), List.of(CSI.text()), Map.of(CSI.text(), ""));
    cluster.remove(cluster.pods, firstPod);
    cluster.pod(AttachCluster.NS, "b", "n2", "rox");
    advanceMinute();
    assertThat(attachment("n2")).as("n1 still has it mounted").isEmpty();
  }

  /** After n1 has detached the volume, n2 can get it. */
  @Test
  void twins_exclusiveVolumeDetached_goToWaitingNode() throws Exception {
    csiVolume("rox", "ReadOnlyMany");
    csiVolume("rwo", "ReadWriteOnce");
    start();
    Pod firstPod = cluster.pod(AttachCluster.NS, "a", "n1", "rwo");
    attachByDriver("n1");
    cluster.pod(AttachCluster.NS, "b", "n2", "rox");
    advanceMinute();
    cluster.remove(cluster.pods, firstPod);
    awaitWithTime(() -> attachment("n1").filter(one -> one.meta().isBeingDeleted()).isPresent());
    steps.settle();
    cluster.remove(cluster.attachments, attachment("n1").orElseThrow());
    awaitWithTime(() -> attachment("n2").isPresent());
  }

  @Test
  void twins_restart_waitForNodeThatHasVolume() throws Exception {
    csiVolume("rox", "ReadOnlyMany");
    csiVolume("rwo", "ReadWriteOnce");
    cluster.node("n1", "True", List.of(), List.of(CSI.text()), Map.of(CSI.text(), ""));
    cluster.attachment(CSI.csi().orElseThrow().attachment("n1"), "rwo", "n1", false, true, "", "");
    cluster.pod(AttachCluster.NS, "b", "n2", "rox");
    start();
    advanceMinute();
    assertThat(attachment("n2")).as("n1 still has it mounted").isEmpty();
  }

  /** After a restart only its VolumeAttachment shows where an inline volume is. */
  @Test
  void inlineVolume_restart_isDetachedBeforeNextAttach() throws Exception {
    csiVolume("v", "ReadWriteOnce");
    cluster.put(
        Kind.ATTACHMENT,
        TestObjects.attachment(CSI.csi().orElseThrow().attachment("n0"))
            .attacher("d")
            .inline(
                new Attachment.InlineVolume(
                    VolumeSource.csi("d", "h-shared"), AccessModes.of("ReadOnlyMany")))
            .nodeName("n0")
            .attached(true)
            .build());
    cluster.pod(AttachCluster.NS, "a", "n1", "v");
    start();
    awaitWithTime(() -> attachment("n0").filter(one -> one.meta().isBeingDeleted()).isPresent());
    assertThat(attachment("n1")).as("n0 still has it").isEmpty();
    cluster.remove(cluster.attachments, attachment("n0").orElseThrow());
    awaitWithTime(() -> attachment("n1").isPresent());
  }

  @Test
  void twins_bothShared_goToAllNodes() throws Exception {
    csiVolume("one", "ReadWriteMany");
    csiVolume("other", "ReadWriteMany");
    start();
    cluster.pod(AttachCluster.NS, "a", "n1", "one");
    cluster.pod(AttachCluster.NS, "b", "n2", "other");
    awaitWithTime(() -> attachment("n1").isPresent() && attachment("n2").isPresent());
    assertThat(attachment("n1").orElseThrow().volumeName()).isEqualTo("one");
    assertThat(attachment("n2").orElseThrow().volumeName()).isEqualTo("other");
  }

  @Test
  void attachment_firstTwinDeleted_namesOtherTwin() throws Exception {
    csiVolume("one", "ReadWriteMany");
    csiVolume("other", "ReadWriteMany");
    start();
    cluster.pod(AttachCluster.NS, "a", "n1", "one");
    attachByDriver("n1");
    cluster.remove(cluster.volumes, cluster.volumes.get(ObjectKey.cluster("one")).orElseThrow());
    cluster.pod(AttachCluster.NS, "b", "n2", "other");
    awaitWithTime(() -> attachment("n2").isPresent());
    assertThat(attachment("n2").orElseThrow().volumeName()).isEqualTo("other");
  }

  /**
   * Pods on one node use both. The first PersistentVolume is deleted, or addresses another disk,
   * before the volume is attached again.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reattach_attachedTwinDeletedOrReplaced_namesOtherTwin(boolean isRecreated) throws Exception {
    csiVolume("one", "ReadWriteMany");
    csiVolume("other", "ReadWriteMany");
    start();
    cluster.pod(AttachCluster.NS, "a", "n1", "one");
    attachByDriver("n1");
    cluster.pod(AttachCluster.NS, "b", "n1", "other");
    steps.settle();
    assertThat(attachment("n1").orElseThrow().volumeName()).isEqualTo("one");
    cluster.remove(cluster.volumes, cluster.volumes.get(ObjectKey.cluster("one")).orElseThrow());
    if (isRecreated) {
      volume("one", VolumeSource.csi("d", "h-another"), "ReadWriteMany");
    }
    Attachment removed = attachment("n1").orElseThrow();
    cluster.remove(cluster.attachments, removed);
    awaitWithTime(() ->
        attachment("n1").filter(one -> !one.meta().uid().equals(removed.meta().uid())).isPresent());
    assertThat(attachment("n1").orElseThrow().volumeName()).isEqualTo("other");
  }

  /** The watch missed the deletion of the PersistentVolume. */
  @Test
  void volumeCreatedAgainForOtherStorage_isAttached() throws Exception {
    volume("v", VolumeSource.csi("d", "h-earlier"), "ReadWriteOnce");
    cluster.pod(AttachCluster.NS, "p", "n1", "v");
    start();
    awaitWithTime(() -> cluster.attachments.snapshot().size() == 1);
    Volume earlier = cluster.volumes.get(ObjectKey.cluster("v")).orElseThrow();
    cluster.put(
        Kind.VOLUME,
        TestObjects.like(earlier).uid("again").source(VolumeSource.csi("d", "h-shared")).build());
    attachByDriver("n1");
  }
}
