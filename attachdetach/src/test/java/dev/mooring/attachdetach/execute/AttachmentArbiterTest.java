package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.RecordingRequeue;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.NodeView.Operation;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.AttachViews;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.RunningOperations;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.JobResult;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestObjects;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After a restart, two nodes may have an exclusive volume, but only one has it. */
class AttachmentArbiterTest {
  private static final VolumeId.Csi CSI = new VolumeId.Csi("d", "h");
  private static final VolumeId ID = VolumeId.csi("d", "h");
  private static final AttachTarget TARGET =
      new AttachTarget(ID, "pv", true, "pv", VolumeSource.csi("d", "h"), Map.of());

  private final SimTime time = new SimTime();
  private final AttachCluster cluster = new AttachCluster();
  private final StateOfWorld state = new StateOfWorld();
  private final DesiredStateOfWorld desired = state.desired();
  private final ActualStateOfWorld actual = state.actual();
  private final RecordingRequeue queues = new RecordingRequeue();
  private final List<String> requeuedStatuses = queues.statuses;
  private boolean isIdle = true;
  private Runnable beforeIdleCheck = () -> {};
  private final RunningOperations operations =
      (volume, node) -> {
        beforeIdleCheck.run();
        return isIdle ? Operation.NONE : Operation.ATTACH;
      };
  private final AttachmentArbiter arbiter =
      new AttachmentArbiter(
          new ContestQuestions(
              new AttachViews(cluster.caches(), state, operations, time),
              new VolumeResolver(cluster.caches(), LoadedPlugins.NONE),
              cluster.server),
          state,
          new VolumeAttachments(
              cluster.attachments, cluster.ports(time), Duration.ofMinutes(2), Compat.MOORING),
          new PodReporter(
              cluster::recordEvent, desired, new AttachStats(), time, AttachEventStyle.EXPLAINING),
          queues);

  @BeforeEach
  void putTwoPossibleHolders() {
    for (String name : List.of("pv", "another name of it")) {
      cluster.boundVolume(name, TARGET.source(), Uid.NONE, "ReadWriteOnce");
    }
    for (String node : List.of("n1", "n2")) {
      cluster.node(node);
      desired.addNode(node, true, true);
      PodUse pod = new PodUse(ObjectKey.of("ns", "p-" + node), Uid.of(node), node);
      desired.use(pod, List.of(TARGET), Set.of());
    }
    cluster.attachment(CSI.attachment("n1"), "pv", "n1", false, true, "", "");
    actual.setUncertain(ID, "n1", TARGET);
    actual.setUncertain(ID, "n2", TARGET);
    assertThat(arbiter.isContested(ID)).isTrue();
  }

  private AttachState attachState(String node) {
    return actual.attachState(ID, node);
  }

  @Test
  void resolve_oneConfirmedAttachment_thatNodeHasVolume() throws InterruptedException {
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.ATTACHED);
    assertThat(requeuedStatuses).containsExactly("n1");
  }

  /** Otherwise a deletion request of an earlier process could still delete the attachment. */
  @Test
  void resolve_protectionUnanswered_noNodeHasVolume() throws InterruptedException {
    cluster.onPatch = new WriteResult.Unreachable<>("no answer");
    assertThat(arbiter.resolve(ID)).isInstanceOf(JobResult.Unanswered.class);
    assertThat(attachState("n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(requeuedStatuses).isEmpty();
    cluster.onPatch = null;
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.ATTACHED);
  }

  @Test
  void resolve_readsUnanswered_noNodeHasVolume() throws InterruptedException {
    cluster.isMute = true;
    assertThat(arbiter.resolve(ID)).isInstanceOf(JobResult.Unanswered.class);
    assertThat(attachState("n1")).isEqualTo(AttachState.UNCERTAIN);
  }

  /** The arbiter changes nothing while an operation runs. */
  @Test
  void resolve_operationRuns_noNodeHasVolume() throws InterruptedException {
    isIdle = false;
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(cluster.attachmentPatches()).isEmpty();
  }

  @Test
  void resolve_bothConfirmed_noNodeHasVolume() throws InterruptedException {
    cluster.attachment(CSI.attachment("n2"), "pv", "n2", false, true, "", "");
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(attachState("n2")).isEqualTo(AttachState.UNCERTAIN);
  }

  /** Deletes the attachments of an earlier process to both nodes; both report the volume in use. */
  private void deleteBothAttachments() {
    actual.remove(ID, "n1");
    actual.remove(ID, "n2");
    cluster.node("n1", ID.text());
    cluster.node("n2", ID.text());
    cluster
        .attachments
        .snapshot()
        .objects()
        .forEach(attachment -> cluster.remove(cluster.attachments, attachment));
    actual.addFromAttachment(ID, "n1", TARGET);
  }

  @Test
  void resolve_attachmentDeleted_clearsNode() throws InterruptedException {
    deleteBothAttachments();
    actual.setUncertain(ID, "n2", null);
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.DETACHED);
    assertThat(attachState("n2"))
        .as("reported in use before a pod came")
        .isEqualTo(AttachState.UNCERTAIN);
    assertThat(requeuedStatuses).containsExactly("n1");
  }

  @Test
  void resolve_allAttachmentsDeleted_noNodeHasVolume() throws InterruptedException {
    deleteBothAttachments();
    actual.addFromAttachment(ID, "n2", TARGET);
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.DETACHED);
    assertThat(attachState("n2")).isEqualTo(AttachState.DETACHED);
  }

  /** This process ends what it started; the attach may still take effect. */
  @Test
  void resolve_ownAttachStarted_isNotCleared() throws InterruptedException {
    deleteBothAttachments();
    actual.startAttach(TARGET, "n1");
    actual.setUncertain(ID, "n2", null);
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(attachState("n2")).isEqualTo(AttachState.UNCERTAIN);
  }

  @Test
  void resolve_possiblyMountedOrUnanswered_isNotCleared() throws InterruptedException {
    deleteBothAttachments();
    actual.setUncertain(ID, "n2", null);
    Pod pod = cluster.pod("ns", "p-n1", "n1", "n1", Pod.Phase.RUNNING);
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).as("a pod runs there").isEqualTo(AttachState.UNCERTAIN);
    cluster.remove(cluster.pods, pod);
    cluster.isMute = true;
    assertThat(arbiter.resolve(ID)).isInstanceOf(JobResult.Unanswered.class);
    assertThat(attachState("n1")).as("no answer").isEqualTo(AttachState.UNCERTAIN);
    cluster.isMute = false;
    isIdle = false;
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).as("an operation runs").isEqualTo(AttachState.UNCERTAIN);
    isIdle = true;
    for (String volume : List.of("another name of it", "unknown")) {
      ObjectKey foreignKey = ObjectKey.cluster("by-hand");
      cluster.attachment(foreignKey, volume, "n1", false, false, "", "");
      assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
      assertThat(attachState("n1")).as("attachment of " + volume).isEqualTo(AttachState.UNCERTAIN);
    }
  }

  /** The attachment of an inline volume names no PersistentVolume, so its volume is unknown. */
  @Test
  void resolve_attachmentOfOtherDriver_isIgnored() throws InterruptedException {
    deleteBothAttachments();
    cluster.put(
        Kind.ATTACHMENT,
        TestObjects.attachment(ObjectKey.cluster("inline"))
            .uid("uid-inline")
            .attacher("another")
            .volumeName("unknown")
            .nodeName("n1")
            .attached(true)
            .build());
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.DETACHED);
  }

  /** An attachment of the driver whose PersistentVolume is deleted may be of this volume. */
  @Test
  void resolve_unknownVolumeAttachedElsewhere_noNodeHasVolume() throws InterruptedException {
    cluster.attachment(ObjectKey.cluster("by-hand"), "unknown", "n3", false, true, "", "");
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.UNCERTAIN);
  }

  /** The actual state ignored the attachment while the node counted as a possible holder. */
  @Test
  void resolve_attachmentAppearsMeanwhile_recordsAttachment() throws InterruptedException {
    deleteBothAttachments();
    beforeIdleCheck =
        () -> cluster.attachment(CSI.attachment("n1"), "pv", "n1", false, false, "", "");
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(actual.findAttachmentOnlyNodes(ID)).containsKey("n1");
    assertThat(requeuedStatuses).isEmpty();
  }

  /** The other node may be listed, or run a pod with the volume without any record. */
  @Test
  void resolve_attachmentDeletedAndOtherNodeUncertain_clearsNode() throws InterruptedException {
    deleteBothAttachments();
    actual.setAttached(ID, "n2", "", TARGET);
    actual.setUncertain(ID, "n2", null);
    assertThat(arbiter.isContested(ID)).isTrue();
    assertThat(arbiter.resolve(ID)).isEqualTo(JobResult.DONE);
    assertThat(attachState("n1")).isEqualTo(AttachState.DETACHED);
    assertThat(attachState("n2")).isEqualTo(AttachState.UNCERTAIN);
  }
}
