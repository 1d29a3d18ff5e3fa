package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.Plugins;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Knows which nodes were found dead: by the volume's plugin where it can tell, else by the general
 * rule. What is found is kept as long as the volume has to do with the node, and the node is not
 * well. Thread-safe.
 */
public final class Fencing {
  private final LeaseFencing general;
  private final Plugins plugins;

  /** Of nodes that were looked at the volumes for whose sake, and whether it was found dead. */
  private final Map<String, Map<VolumeId, Boolean>> suspects = new HashMap<>();

  private final Map<VolumeId, Set<String>> byVolume = new HashMap<>();

  /** Nobody is known to be dead. */
  public Fencing(LeaseFencing general, Plugins plugins) {
    this.general = general;
    this.plugins = plugins;
  }

  /** Finds out; blocks. */
  NodeFencing.Verdict assess(VolumeId volume, String node) {
    NodeFencing rule =
        plugins.named(volume.plugin()).flatMap(VolumePlugin::fencing).orElse(general);
    try {
      NodeFencing.Verdict verdict = rule.assess(node);
      if (verdict instanceof NodeFencing.Verdict.Unproven) {
        unproven(volume, node);
      }
      return verdict;
    } finally {
      forgetUnlessSuspect(node);
    }
  }

  /** What was found before is over: the node is watched again. */
  private synchronized void unproven(VolumeId volume, String node) {
    Map<VolumeId, Boolean> there = suspects.get(node);
    if (there != null) {
      there.replace(volume, false);
    }
  }

  /**
   * Finds out about a {@link #suspect}, and remembers if the node is dead; blocks.
   *
   * @return whether it is; false also if it is no suspect any more
   */
  boolean investigate(VolumeNode pair) {
    boolean isDead = assess(pair.volume(), pair.node()) instanceof NodeFencing.Verdict.Dead;
    return isDead && found(pair.volume(), pair.node());
  }

  /**
   * The node may be dead, and the volume has to do with it: to be called by who has just seen that,
   * not by the thread that finds out, which may begin when it is over and forgotten.
   */
  synchronized void suspect(VolumeNode pair) {
    suspects.computeIfAbsent(pair.node(), n -> new HashMap<>()).putIfAbsent(pair.volume(), false);
    byVolume.computeIfAbsent(pair.volume(), v -> new HashSet<>()).add(pair.node());
  }

  /** What is found of a volume and a node that have nothing to do with each other is nothing. */
  private synchronized boolean found(VolumeId volume, String node) {
    Map<VolumeId, Boolean> there = suspects.get(node);
    return there != null && there.replace(volume, true) != null;
  }

  private synchronized void forgetUnlessSuspect(String node) {
    if (!suspects.containsKey(node)) {
      general.forget(node);
    }
  }

  /** Whether the node was found dead as far as the volume is concerned. */
  public synchronized boolean isDead(VolumeId volume, String node) {
    return suspects.getOrDefault(node, Map.of()).getOrDefault(volume, false);
  }

  /** The node is well: what was found does not count any more. */
  public synchronized void isWell(String node) {
    Map<VolumeId, Boolean> there = suspects.get(node);
    if (there != null) {
      List.copyOf(there.keySet()).forEach(volume -> forget(new VolumeNode(volume, node)));
    }
  }

  /**
   * What the volume has to do with at this moment; what was found of other nodes is forgotten.
   *
   * @param nodes the nodes
   */
  public synchronized void retain(VolumeId volume, Set<String> nodes) {
    for (String node : Set.copyOf(byVolume.getOrDefault(volume, Set.of()))) {
      if (!nodes.contains(node)) {
        forget(new VolumeNode(volume, node));
      }
    }
  }

  /** A volume has nothing to do with a node any more. */
  public synchronized void forget(VolumeNode pair) {
    Set<String> nodes = byVolume.get(pair.volume());
    if (nodes == null || !nodes.remove(pair.node())) {
      return;
    }
    if (nodes.isEmpty()) {
      byVolume.remove(pair.volume());
    }
    suspects.computeIfPresent(
        pair.node(),
        (node, volumes) -> {
          volumes.remove(pair.volume());
          return volumes.isEmpty() ? null : volumes;
        });
    forgetUnlessSuspect(pair.node());
  }
}
