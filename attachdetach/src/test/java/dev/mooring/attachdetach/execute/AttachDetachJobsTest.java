package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeSource;
import dev.mooring.operation.JobResult;
import dev.mooring.spi.Failure;
import dev.mooring.testkit.SimTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Attach and detach from the decision to the call of the plugin. */
class AttachDetachJobsTest extends AttachDetachJobsFixture {
  @Test
  void attach_succeeds_isRecordedAndReported() throws Exception {
    assertThat(attach(TARGET)).isTrue();
    assertThat(actual.attachState(ID, "n1")).isEqualTo(AttachState.ATTACHED);
    assertThat(actual.createStatusList("n1")).containsValue("/dev/v");
    assertThat(batchedStatuses).containsExactly("n1");
    assertThat(cluster.events).containsExactly("p Normal SuccessfulAttachVolume");
  }

  @Test
  void attach_uncertain_isRecordedAndNotListed() throws Exception {
    disks.failure = Optional.of(new Failure.Uncertain("timed out"));
    assertThat(attach(TARGET)).isFalse();
    assertThat(actual.attachState(ID, "n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(actual.createStatusList("n1")).isEmpty();
    assertThat(cluster.notes)
        .containsExactly("AttachVolume.Attach failed for volume \"pv\" : timed out");
  }

  /** No driver failed, but the request may have had an effect. */
  @Test
  void attach_unanswered_isRetriedSoon() throws Exception {
    AttachTarget csi =
        new AttachTarget(
            VolumeId.csi("d", "h"), "pv", true, "pv", VolumeSource.csi("d", "h"), Map.of());
    cluster.onCreate = new WriteResult.Unreachable<>("no answer");
    assertThat(attachJobs.attach(csi, "n1", actual.setUncertain(csi.id(), "n1", csi)))
        .isInstanceOf(JobResult.Unanswered.class);
    assertThat(actual.attachState(csi.id(), "n1")).isEqualTo(AttachState.UNCERTAIN);
  }

  @Test
  void detach_unanswered_isRetriedSoon() throws Exception {
    AttachTarget csi =
        new AttachTarget(
            VolumeId.csi("d", "h"), "pv", true, "pv", VolumeSource.csi("d", "h"), Map.of());
    actual.setAttached(csi.id(), "n1", "", csi);
    actual.setListed(csi.id(), "n1", false);
    cluster.attachment(
        new VolumeId.Csi("d", "h").attachment("n1"), "pv", "n1", false, true, "", "");
    cluster.onDelete = new WriteResult.Unreachable<>("no answer");
    DetachLimiter.Permit permit = new DetachLimiter(new SimTime(), 1, 1).createPermit("ns", false);
    permit.awaitGrant(() -> {});
    assertThat(detachJobs.detach(csi.id(), "n1", Grounds.UNUSED, permit))
        .isInstanceOf(JobResult.Unanswered.class);
    assertThat(actual.attachState(csi.id(), "n1")).isEqualTo(AttachState.UNCERTAIN);
  }

  @Test
  void attach_failsWithoutEffect_isForgotten() throws Exception {
    disks.failure = Optional.of(new Failure.Exhausted("full", java.time.Duration.ZERO));
    assertThat(attach(TARGET)).isFalse();
    assertThat(actual.attachState(ID, "n1")).isEqualTo(AttachState.DETACHED);
  }

  @Test
  void detach_nodeListsVolume_writesStatusFirst() throws Exception {
    attachAndEndPod();
    cluster.onStatus =
        patch -> {
          disks.calls.add("status");
          return new WriteResult.Written<>(cluster.nodes.snapshot().objects().iterator().next());
        };
    cluster.node("n1", "True", List.of(), List.of(), Map.of(ID.text(), "/dev/v"));
    assertThat(detach(Grounds.UNUSED)).isTrue();
    assertThat(disks.calls).containsExactly("status", "detach n1");
    assertThat(actual.attachState(ID, "n1")).isEqualTo(AttachState.DETACHED);
  }

  @Test
  void detach_statusWriteFails_staysAttached() throws Exception {
    attachAndEndPod();
    cluster.node("n1", "True", List.of(), List.of(), Map.of(ID.text(), "/dev/v"));
    cluster.onStatus = patch -> new WriteResult.Unreachable<>("no answer");
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(disks.calls).isEmpty();
    assertThat(actual.attachState(ID, "n1")).isEqualTo(AttachState.ATTACHED);
    assertThat(actual.createStatusList("n1")).hasSize(1);
  }

  @Test
  void detach_fails_isUncertainAndNotListed() throws Exception {
    attachAndEndPod();
    disks.failure = Optional.of(new Failure.Unreachable("backend down"));
    assertThat(detach(Grounds.UNUSED)).isFalse();
    assertThat(actual.attachState(ID, "n1")).isEqualTo(AttachState.UNCERTAIN);
    assertThat(actual.createStatusList("n1")).isEmpty();
  }

  @Test
  void detach_podIsBack_staysAttached() throws Exception {
    attach(TARGET);
    disks.calls.clear();
    assertThat(detach(Grounds.UNUSED)).isTrue();
    assertThat(disks.calls).isEmpty();
    assertThat(actual.createStatusList("n1")).hasSize(1);
  }

  @Test
  void attach_pluginMissing_namesPlugin() throws Exception {
    AttachTarget unsupportedTarget =
        new AttachTarget(
            VolumeId.of("example.com/tape", "t"),
            "tape",
            true,
            "tape",
            VolumeSource.hostPath("/dev/tape"),
            Map.of());
    desired.use(
        new PodUse(ObjectKey.of("ns", "q"), Uid.of("2"), "n1"),
        List.of(unsupportedTarget),
        Set.of());
    assertThat(attach(unsupportedTarget)).isFalse();
    assertThat(cluster.notes.getFirst()).contains("no plugin \"example.com/tape\"");
    assertThat(actual.attachState(unsupportedTarget.id(), "n1")).isEqualTo(AttachState.DETACHED);
  }
}
