package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.SuspectNodes;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;

/**
 * Checks whether nodes are dead. The volume's plugin decides if it can, otherwise the general rule.
 * Thread-safe; blocks.
 */
public final class DeadNodeTracker {
  private final LeaseFencing leaseFencing;
  private final LoadedPlugins plugins;
  private final SuspectNodes suspects;

  public DeadNodeTracker(LeaseFencing leaseFencing, LoadedPlugins plugins, SuspectNodes suspects) {
    this.leaseFencing = leaseFencing;
    this.plugins = plugins;
    this.suspects = suspects;
  }

  NodeFencing.Verdict assess(VolumeId volume, String node) {
    NodeFencing fencing =
        plugins.find(volume.plugin()).flatMap(VolumePlugin::fencing).orElse(leaseFencing);
    try {
      NodeFencing.Verdict verdict = fencing.assess(node);
      if (verdict instanceof NodeFencing.Verdict.Unproven) {
        suspects.setDead(new VolumeNode(volume, node), false);
      }
      return verdict;
    } finally {
      suspects.forgetLeaseUnlessSuspect(node);
    }
  }

  /**
   * Checks a node that is under suspicion for a volume, and records a proof.
   *
   * @return whether the node is dead; false also if it is no longer under suspicion
   */
  boolean investigate(VolumeNode volumeNode) {
    boolean isDead =
        assess(volumeNode.volume(), volumeNode.node()) instanceof NodeFencing.Verdict.Dead;
    return isDead && suspects.setDead(volumeNode, true);
  }
}
