package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tracks nodes that evidence proved to be dead. The volume's plugin decides if it can, otherwise
 * the general rule. A result is kept while the volume concerns the node and the node is not ready.
 * Thread-safe.
 */
public final class DeadNodeTracker {
  private final LeaseFencing general;
  private final LoadedPlugins plugins;

  // by node: the volumes under suspicion, and whether the node was proved dead for them
  private final Map<String, Map<VolumeId, Boolean>> suspects = new HashMap<>();

  private final Map<VolumeId, Set<String>> byVolume = new HashMap<>();

  public DeadNodeTracker(LeaseFencing general, LoadedPlugins plugins) {
    this.general = general;
    this.plugins = plugins;
  }

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

  private synchronized void unproven(VolumeId volume, String node) {
    Map<VolumeId, Boolean> there = suspects.get(node);
    if (there != null) {
      there.replace(volume, false);
    }
  }

  /**
   * Checks a {@link #suspect}, and records a proof; blocks.
   *
   * @return whether the node is dead; false also if the pair is no longer under suspicion
   */
  boolean investigate(VolumeNode pair) {
    boolean isDead = assess(pair.volume(), pair.node()) instanceof NodeFencing.Verdict.Dead;
    return isDead && found(pair.volume(), pair.node());
  }

  // Puts a pair under suspicion. The caller that saw the suspicion must call this, not the thread
  // of the check, which may start after the pair was forgotten.
  synchronized void suspect(VolumeNode pair) {
    suspects.computeIfAbsent(pair.node(), n -> new HashMap<>()).putIfAbsent(pair.volume(), false);
    byVolume.computeIfAbsent(pair.volume(), v -> new HashSet<>()).add(pair.node());
  }

  // a proof for a forgotten pair is dropped
  private synchronized boolean found(VolumeId volume, String node) {
    Map<VolumeId, Boolean> there = suspects.get(node);
    return there != null && there.replace(volume, true) != null;
  }

  private synchronized void forgetUnlessSuspect(String node) {
    if (!suspects.containsKey(node)) {
      general.forget(node);
    }
  }

  public synchronized boolean isDead(VolumeId volume, String node) {
    return suspects.getOrDefault(node, Map.of()).getOrDefault(volume, false);
  }

  public synchronized void nodeIsReady(String node) {
    Map<VolumeId, Boolean> there = suspects.get(node);
    if (there != null) {
      List.copyOf(there.keySet()).forEach(volume -> forget(new VolumeNode(volume, node)));
    }
  }

  public synchronized void retain(VolumeId volume, Set<String> nodes) {
    for (String node : Set.copyOf(byVolume.getOrDefault(volume, Set.of()))) {
      if (!nodes.contains(node)) {
        forget(new VolumeNode(volume, node));
      }
    }
  }

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
