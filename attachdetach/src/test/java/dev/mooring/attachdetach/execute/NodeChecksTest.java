package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.DetachCheck.PastUser;
import dev.mooring.attachdetach.decide.DetachCheck.PendingDetach;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeChecksTest {
  private static final VolumeId VOLUME = VolumeId.csi("d", "h");

  private final AttachCluster cluster = new AttachCluster();

  private NodeChecks createChecks(AttachEventStyle style) {
    SuspectNodes suspects = new SuspectNodes();
    DeadNodeTracker fencing =
        new DeadNodeTracker(
            new LeaseFencing(cluster.server, suspects, new SimTime()),
            LoadedPlugins.NONE,
            suspects);
    return new NodeChecks(cluster.server, fencing, cluster::recordEvent, style);
  }

  private void emitForcedDetach(AttachEventStyle style) throws InterruptedException {
    createChecks(style).emitForcedDetach(VOLUME, "n1", Grounds.TIMEOUT, "it stayed in use");
  }

  /** Returns the kinds that a detach on evidence reads, in order. */
  private List<String> readKindsForEvidence() throws InterruptedException {
    PastUser user = new PastUser(ObjectKey.of(AttachCluster.NS, "p"), Uid.of("u"));
    createChecks(AttachEventStyle.EXPLAINING)
        .decideDetach(
            new PendingDetach(VOLUME, "n1", Grounds.EVIDENCE, List.of(user), false), null);
    return cluster.server.requests().stream().map(request -> request.kind().kind()).toList();
  }

  @Test
  void decideDetach_onEvidence_readsEvidenceLast() throws Exception {
    cluster.node("n1", "False", List.of(), List.of(VOLUME.text()), Map.of());
    assertThat(readKindsForEvidence()).startsWith("Node", "Pod").endsWith("Lease");
  }

  @Test
  void decideDetach_nodeListsVolume_readsNoEvidence() throws Exception {
    Map<String, String> volumesAttached = Map.of(VOLUME.text(), "");
    cluster.node("n1", "False", List.of(), List.of(), volumesAttached);
    assertThat(readKindsForEvidence()).containsExactly("Node");
  }

  @Test
  void emitForcedDetach_nodeExists_emitsEvent() throws Exception {
    cluster.node("n1");
    emitForcedDetach(AttachEventStyle.EXPLAINING);
    assertThat(cluster.notes)
        .singleElement()
        .asString()
        .contains("force-detached", "it stayed in use");
  }

  @Test
  void emitForcedDetach_nodeUnanswered_emitsEvent() throws Exception {
    cluster.node("n1");
    cluster.isMute = true;
    emitForcedDetach(AttachEventStyle.EXPLAINING);
    assertThat(cluster.notes).hasSize(1);
  }

  @Test
  void emitForcedDetach_nodeDeleted_emitsEvent() throws Exception {
    emitForcedDetach(AttachEventStyle.EXPLAINING);
    assertThat(cluster.notes).hasSize(1);
  }

  @Test
  void emitForcedDetach_compatKubernetes_emitsNoEvent() throws Exception {
    cluster.node("n1");
    emitForcedDetach(AttachEventStyle.AS_KUBERNETES);
    assertThat(cluster.notes).isEmpty();
  }
}
