package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Volumes that deleted Nodes reported in use last. They count until a later Node of that name is
 * ready. Not thread-safe.
 */
final class LastReports {
  private final Map<String, Set<String>> byNode = new HashMap<>();
  private final Set<String> unknown = new HashSet<>(); // no watch event showed the deletion

  void add(String node, List<String> inUse) {
    byNode.computeIfAbsent(node, n -> new HashSet<>()).addAll(inUse);
  }

  /** Records that the Node was deleted and that its last report is unknown. */
  void addUnknown(String node) {
    unknown.add(node);
  }

  void remove(String node) {
    byNode.remove(node);
    unknown.remove(node);
  }

  /** Returns whether a deleted Node may have used the volume. */
  boolean wasInUse(VolumeId id, String node) {
    return !byNode.containsKey(node) || mayBeInUse(id, node);
  }

  /** Returns whether an earlier Node of that name may have used the volume. */
  boolean mayBeInUse(VolumeId id, String node) {
    return unknown.contains(node) || byNode.getOrDefault(node, Set.of()).contains(id.text());
  }
}
