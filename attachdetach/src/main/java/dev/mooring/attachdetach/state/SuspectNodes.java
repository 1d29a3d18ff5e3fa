package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.LeaseCheck.WatchedLease;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Nodes that may be dead: the volumes that they keep in use, whether the node was proved dead for
 * the volume, and the watched Leases. An entry is kept while the volume concerns the node and the
 * node is not ready. Thread-safe.
 */
public final class SuspectNodes {
  private final Map<String, Map<VolumeId, Boolean>> byNode = new HashMap<>();
  private final Map<VolumeId, Set<String>> byVolume = new HashMap<>();
  private final Map<String, WatchedLease> leases = new HashMap<>();

  // * Puts a pair under suspicion. The caller that saw the suspicion must call this, not the thread
  // of the check, which may start after the pair was forgotten.
  public synchronized void add(VolumeNode pair) {
    byNode.computeIfAbsent(pair.node(), n -> new HashMap<>()).putIfAbsent(pair.volume(), false);
    byVolume.computeIfAbsent(pair.volume(), v -> new TreeSet<>()).add(pair.node());
  }

  /**
   * Records the result of a check. A result for a forgotten pair is dropped.
   *
   * @return whether the pair is still under suspicion
   */
  public synchronized boolean setDead(VolumeNode pair, boolean dead) {
    Map<VolumeId, Boolean> there = byNode.get(pair.node());
    return there != null && there.replace(pair.volume(), dead) != null;
  }

  public synchronized boolean isDead(VolumeId volume, String node) {
    return byNode.getOrDefault(node, Map.of()).getOrDefault(volume, false);
  }

  public synchronized Optional<WatchedLease> lease(String node) {
    return Optional.ofNullable(leases.get(node));
  }

  public synchronized void watchLease(String node, WatchedLease lease) {
    leases.put(node, lease);
  }

  public synchronized void forgetLease(String node) {
    leases.remove(node);
  }

  // Forgets the Lease of a node that is under suspicion for no volume.
  public synchronized void forgetLeaseUnlessSuspect(String node) {
    if (!byNode.containsKey(node)) {
      leases.remove(node);
    }
  }

  public synchronized void forgetNode(String node) {
    for (VolumeId volume : List.copyOf(byNode.getOrDefault(node, Map.of()).keySet())) {
      forget(new VolumeNode(volume, node));
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
    byNode.computeIfPresent(
        pair.node(),
        (node, volumes) -> {
          volumes.remove(pair.volume());
          return volumes.isEmpty() ? null : volumes;
        });
    forgetLeaseUnlessSuspect(pair.node());
  }
}
