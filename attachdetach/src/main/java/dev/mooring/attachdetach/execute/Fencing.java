package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.operation.Plugins;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.VolumePlugin;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows which nodes were found dead: by the volume's plugin where it can tell, else by the general
 * rule. Thread-safe.
 */
public final class Fencing {
  private final NodeFencing general;
  private final Plugins plugins;
  private final Set<Dead> dead = ConcurrentHashMap.newKeySet();

  private record Dead(VolumeId volume, String node) {}

  /** Nobody is known to be dead. */
  public Fencing(NodeFencing general, Plugins plugins) {
    this.general = general;
    this.plugins = plugins;
  }

  /** Finds out; blocks. */
  NodeFencing.Verdict assess(VolumeId volume, String node) {
    return plugins
        .named(volume.plugin())
        .flatMap(VolumePlugin::fencing)
        .orElse(general)
        .assess(node);
  }

  /**
   * Finds out, and remembers if the node is dead; blocks.
   *
   * @return whether it is
   */
  public boolean investigate(VolumeId volume, String node) {
    boolean isDead = assess(volume, node) instanceof NodeFencing.Verdict.Dead;
    if (isDead) {
      dead.add(new Dead(volume, node));
    }
    return isDead;
  }

  /** Whether the node was found dead as far as the volume is concerned. */
  public boolean isDead(VolumeId volume, String node) {
    return dead.contains(new Dead(volume, node));
  }

  /** The node is well: what was found does not count any more. */
  public void isWell(String node) {
    dead.removeIf(d -> d.node().equals(node));
  }
}
