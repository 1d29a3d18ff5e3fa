package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.Node;
import dev.mooring.spi.NodeFencing;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Live reads before a detach. */
class DetachGroundsTest extends AttachDetachJobsFixture {
  @Test
  void detach_liveNodeUsesVolume_staysAttached() throws Exception {
    attachAndEndPod();
    cluster.node("n1", ID.text());
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(disks.calls).isEmpty();
    assertThat(actual.attachState(ID, "n1")).as("unchanged").isEqualTo(AttachState.ATTACHED);
  }

  /** A plugin that was loaded late finds volumes attached that pods have used all the time. */
  @Test
  void detach_pluginHasNotAnswered_isBlocked() throws Exception {
    attachAndEndPod();
    cluster.node("n1", "True", List.of(), List.of(), Map.of(ID.text(), "/dev/v"));
    hasAnswered = false;
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(disks.calls).isEmpty();
    assertThat(actual.attachState(ID, "n1")).isEqualTo(AttachState.ATTACHED);
    assertThat(actual.createStatusList("n1")).hasSize(1);
    hasAnswered = true;
    assertThat(detach(Grounds.UNUSED)).isTrue();
  }

  /** The cache is stale: the kubelet would still mount a listed volume. */
  @Test
  void detach_listedOnlyLive_writesStatusFirst() throws Exception {
    attachAndEndPod();
    Node cached = cluster.node("n1");
    statusWriter.flushInvalidating("n1");
    Meta meta = cached.meta();
    cluster.putLive(
        Kind.NODE,
        TestObjects.node(meta.key())
            .uid(meta.uid())
            .version(1000)
            .created(1)
            .annotations(meta.annotations())
            .volumesAttached(Map.of(ID.text(), "/dev/v"))
            .build());
    cluster.onStatus =
        patch -> {
          disks.calls.add("status");
          cluster.live.clear();
          return new WriteResult.Written<>(cluster.nodes.snapshot().objects().iterator().next());
        };
    assertThat(detach(Grounds.UNUSED)).isTrue();
    assertThat(disks.calls).containsExactly("status", "detach n1");
  }

  private static void throwBug() {
    throw new IllegalStateException("a bug");
  }

  /** The pod may be back at the next attempt, and then nothing else lists the volume. */
  @Test
  void detach_statusWriteThrows_listsVolumeAgain() throws Exception {
    attachAndEndPod();
    cluster.onStatus =
        patch -> {
          throwBug();
          return new WriteResult.Unreachable<>("not reached");
        };
    cluster.node("n1", "True", List.of(), List.of(), Map.of(ID.text(), "/dev/v"));
    assertThatThrownBy(() -> detach(Grounds.UNUSED)).hasMessage("a bug");
    assertThat(actual.createStatusList("n1")).hasSize(1);
    assertThat(batchedStatuses).contains("n1");
  }

  @Test
  void detach_eventThrows_listsVolumeAgain() throws Exception {
    attachAndEndPod();
    cluster.node(
        "n1",
        "False",
        List.of("node.kubernetes.io/out-of-service=:NoExecute"),
        List.of(ID.text()),
        Map.of());
    cluster.beforeEvent = DetachGroundsTest::throwBug;
    assertThatThrownBy(() -> detach(Grounds.OUT_OF_SERVICE)).hasMessage("a bug");
    assertThat(disks.calls).isEmpty();
    assertThat(actual.createStatusList("n1")).hasSize(1);
  }

  @Test
  void detach_unanswered_staysAttached() throws Exception {
    attachAndEndPod();
    actual.setListed(ID, "n1", false);
    statusWriter.flushInvalidating("n1"); // otherwise the answer to a write contains the node
    cluster.isMute = true;
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(detach(Grounds.TIMEOUT)).isFalse();
    assertThat(disks.calls).isEmpty();
  }

  @Test
  void detach_deletedNode_succeeds() throws Exception {
    attachAndEndPod();
    cluster.remove(cluster.nodes, cluster.nodes.snapshot().objects().iterator().next());
    assertThat(detach(Grounds.UNUSED)).isTrue();
  }

  @Test
  void forcedDetach_outOfServiceNode_isCountedAndRecorded() throws Exception {
    attachAndEndPod();
    cluster.node(
        "n1",
        "Unknown",
        List.of("node.kubernetes.io/out-of-service=x:NoExecute"),
        List.of(ID.text()),
        Map.of());
    assertThat(detach(Grounds.OUT_OF_SERVICE)).isTrue();
    assertThat(stats.forcedBy(Grounds.OUT_OF_SERVICE)).isEqualTo(1);
    assertThat(cluster.events).containsExactly("n1 Warning VolumeForceDetached");
    assertThat(cluster.notes.getFirst()).contains("out-of-service");
  }

  @Test
  void forcedDetach_nodeIsReadyAgain_staysAttached() throws Exception {
    attachAndEndPod();
    cluster.node("n1", ID.text());
    assertThat(detach(Grounds.TIMEOUT)).isFalse();
    assertThat(detach(Grounds.OUT_OF_SERVICE)).isFalse();
    assertThat(disks.calls).isEmpty();
  }

  /** A plugin's proof may be about the machine before its restart. */
  @Test
  void forcedDetach_provenDeadNodeIsReadyAgain_staysAttached() throws Exception {
    attachAndEndPod();
    cluster.node("n1", ID.text());
    disks.verdict = new NodeFencing.Verdict.Dead("locked out");
    assertThat(detach(Grounds.EVIDENCE)).isFalse();
    assertThat(disks.calls).isEmpty();
  }

  @Test
  void forcedDetach_onEvidence_readsEvidenceAgain() throws Exception {
    attachAndEndPod();
    cluster.node("n1", "Unknown", List.of(), List.of(ID.text()), Map.of());
    assertThat(detach(Grounds.EVIDENCE)).isFalse();
    disks.verdict = new NodeFencing.Verdict.Dead("locked out");
    assertThat(detach(Grounds.EVIDENCE)).isTrue();
    assertThat(cluster.notes.getLast()).contains("locked out");
  }
}
