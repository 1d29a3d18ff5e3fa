package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.AttachCluster;
import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.SimTime;
import org.junit.jupiter.api.Test;

class NodeChecksTest {
  private final AttachCluster cluster = new AttachCluster();

  private void record(AttachEventStyle style) throws InterruptedException {
    SuspectNodes suspects = new SuspectNodes();
    DeadNodeTracker fencing =
        new DeadNodeTracker(
            new LeaseFencing(cluster.server, suspects, new SimTime()),
            LoadedPlugins.NONE,
            suspects);
    new NodeChecks(cluster.server, fencing, cluster::tell, style)
        .record(VolumeId.csi("d", "h"), "n1", Grounds.TIMEOUT, "it stayed in use");
  }

  @Test
  void forcedDetach_emitsEvent() throws Exception {
    cluster.node("n1");
    record(AttachEventStyle.EXPLAINING);
    assertThat(cluster.notes)
        .singleElement()
        .asString()
        .contains("force-detached", "it stayed in use");
  }

  @Test
  void forcedDetach_unansweredNode_emitsEvent() throws Exception {
    cluster.node("n1");
    cluster.mute = true;
    record(AttachEventStyle.EXPLAINING);
    assertThat(cluster.notes).hasSize(1);
  }

  @Test
  void forcedDetach_deletedNode_emitsEvent() throws Exception {
    record(AttachEventStyle.EXPLAINING);
    assertThat(cluster.notes).hasSize(1);
  }

  @Test
  void forcedDetach_compatKubernetes_emitsNoEvent() throws Exception {
    cluster.node("n1");
    record(AttachEventStyle.AS_KUBERNETES);
    assertThat(cluster.notes).isEmpty();
  }
}
