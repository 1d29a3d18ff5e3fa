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
  private final LeaseFencing general;
  private final LoadedPlugins plugins;
  private final SuspectNodes suspects;

  public DeadNodeTracker(LeaseFencing general, LoadedPlugins plugins, SuspectNodes suspects) {
    this.general = general;
    this.plugins = plugins;
    this.suspects = suspects;
  }

  NodeFencing.Verdict assess(VolumeId volume, String node) {
    NodeFencing rule =
        plugins.named(volume.plugin()).flatMap(VolumePlugin::fencing).orElse(general);
    try {
      NodeFencing.Verdict verdict = rule.assess(node);
      if (verdict instanceof NodeFencing.Verdict.Unproven) {
        suspects.setDead(new VolumeNode(volume, node), false);
      }
      return verdict;
    } finally {
      suspects.forgetLeaseUnlessSuspect(node);
    }
  }

  /**
   * Checks a pair under suspicion, and records a proof.
   *
   * @return whether the node is dead; false also if the pair is no longer under suspicion
   */
  boolean investigate(VolumeNode pair) {
    boolean isDead = assess(pair.volume(), pair.node()) instanceof NodeFencing.Verdict.Dead;
    return isDead && suspects.setDead(pair, true);
  }
}
