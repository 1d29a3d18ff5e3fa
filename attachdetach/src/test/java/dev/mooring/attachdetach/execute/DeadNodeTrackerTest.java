package dev.mooring.attachdetach.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.spi.NodeFencing;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.InMemoryCluster;
import dev.mooring.testkit.RetainedElements;
import dev.mooring.testkit.SimTime;
import dev.mooring.testkit.TestPlugin;
import org.junit.jupiter.api.Test;

/** Results about a node are kept while the volume concerns it. */
class DeadNodeTrackerTest {
  private static final VolumeId VOLUME = VolumeId.of("example.com/disk", "v");
  private static final VolumeNode VOLUME_NODE = new VolumeNode(VOLUME, "n");

  /** Plugin that reports every node as dead. */
  private static final LoadedPlugins PLUGINS =
      new TestPlugin("example.com/disk")
          .withFencing(node -> new NodeFencing.Verdict.Dead("it is"))
          .loaded();

  private final SuspectNodes suspects = new SuspectNodes();
  private final DeadNodeTracker deadNodes =
      new DeadNodeTracker(
          new LeaseFencing(new InMemoryCluster(), suspects, new SimTime()), PLUGINS, suspects);

  private int countRetained() {
    return RetainedElements.countFrom(
            deadNodes, SimTime.class, InMemoryCluster.class, PLUGINS.getClass())
        .values()
        .stream()
        .mapToInt(Integer::intValue)
        .sum();
  }

  @Test
  void investigate_deadNode_isRecordedUntilForgotten() {
    suspects.add(VOLUME_NODE);
    assertThat(deadNodes.investigate(VOLUME_NODE)).isTrue();
    assertThat(suspects.isDead(VOLUME, "n")).isTrue();
    assertThat(suspects.isDead(VOLUME, "m")).isFalse();
    suspects.forget(VOLUME_NODE);
    assertThat(suspects.isDead(VOLUME, "n")).isFalse();
    assertThat(countRetained()).isZero();
  }

  /** A check runs on its own thread, which may start late. */
  @Test
  void investigate_forgottenVolumeNode_retainsNothing() {
    suspects.add(VOLUME_NODE);
    suspects.forget(VOLUME_NODE);
    assertThat(deadNodes.investigate(VOLUME_NODE)).isFalse();
    assertThat(suspects.isDead(VOLUME, "n")).isFalse();
    assertThat(countRetained()).isZero();
  }
}
