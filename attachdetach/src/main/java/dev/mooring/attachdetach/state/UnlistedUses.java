package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Volumes that pods on a node wait for, and that the node's status has not listed since the node
 * did not use them. A kubelet mounts only listed volumes, so it cannot have mounted these, whatever
 * it reports in use. The caller synchronizes.
 */
final class UnlistedUses {
  private final Map<String, Set<VolumeId>> volumesByNode = new HashMap<>();

  void add(VolumeId id, String node) {
    volumesByNode.computeIfAbsent(node, n -> new HashSet<>(1)).add(id);
  }

  boolean contains(VolumeId id, String node) {
    return volumesByNode.getOrDefault(node, Set.of()).contains(id);
  }

  void remove(VolumeId id, String node) {
    Set<VolumeId> volumes = volumesByNode.get(node);
    if (volumes != null && volumes.remove(id) && volumes.isEmpty()) {
      volumesByNode.remove(node);
    }
  }

  // Records a list of a node's status. Any client may have written it.
  void removeListed(String node, Set<String> names) {
    if (volumesByNode.containsKey(node)) {
      names.forEach(name -> remove(new VolumeId(name), node));
    }
  }
}
