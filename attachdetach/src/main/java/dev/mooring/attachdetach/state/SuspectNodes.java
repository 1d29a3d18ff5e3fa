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
  private final Map<String, Map<VolumeId, Boolean>> deadByNode = new HashMap<>();
  private final Map<VolumeId, Set<String>> nodesByVolume = new HashMap<>();
  private final Map<String, WatchedLease> leases = new HashMap<>();

  // Puts a node under suspicion for a volume. The caller must do this before it starts the thread
  // of the check. The check may run after the entry was forgotten.
  public synchronized void add(VolumeNode volumeNode) {
    deadByNode
        .computeIfAbsent(volumeNode.node(), n -> new HashMap<>())
        .putIfAbsent(volumeNode.volume(), false);
    nodesByVolume.computeIfAbsent(volumeNode.volume(), v -> new TreeSet<>()).add(volumeNode.node());
  }

  /**
   * Records the result of a check. Ignores a volume on a node that was forgotten.
   *
   * @return whether the node is still under suspicion
   */
  public synchronized boolean setDead(VolumeNode volumeNode, boolean isDead) {
    Map<VolumeId, Boolean> deadByVolume = deadByNode.get(volumeNode.node());
    return deadByVolume != null && deadByVolume.replace(volumeNode.volume(), isDead) != null;
  }

  public synchronized boolean isDead(VolumeId volume, String node) {
    return deadByNode.getOrDefault(node, Map.of()).getOrDefault(volume, false);
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
    if (!deadByNode.containsKey(node)) {
      leases.remove(node);
    }
  }

  public synchronized void forgetNode(String node) {
    for (VolumeId volume : List.copyOf(deadByNode.getOrDefault(node, Map.of()).keySet())) {
      forget(new VolumeNode(volume, node));
    }
  }

  public synchronized void retain(VolumeId volume, Set<String> nodes) {
    for (String node : Set.copyOf(nodesByVolume.getOrDefault(volume, Set.of()))) {
      if (!nodes.contains(node)) {
        forget(new VolumeNode(volume, node));
      }
    }
  }

  public synchronized void forget(VolumeNode volumeNode) {
    Set<String> nodes = nodesByVolume.get(volumeNode.volume());
    if (nodes == null || !nodes.remove(volumeNode.node())) {
      return;
    }
    if (nodes.isEmpty()) {
      nodesByVolume.remove(volumeNode.volume());
    }
    deadByNode.computeIfPresent(
        volumeNode.node(),
        (node, volumes) -> {
          volumes.remove(volumeNode.volume());
          return volumes.isEmpty() ? null : volumes;
        });
    forgetLeaseUnlessSuspect(volumeNode.node());
  }
}
