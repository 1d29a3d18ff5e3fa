package dev.mooring.attachdetach.state;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Nodes whose volumes the controller attaches. The caller synchronizes. */
final class ManagedNodes {
  private final Set<String> managedNodes = new HashSet<>();
  private final Set<String> deletedNodes =
      new HashSet<>(); // managed Nodes that were deleted while pods were bound to them
  private final Map<String, Integer> podCounts = new HashMap<>();

  boolean addNode(String node, boolean hasAnnotation, boolean isNewNode) {
    deletedNodes.remove(node);
    if (hasAnnotation) {
      return managedNodes.add(node);
    }
    if (isNewNode && !podCounts.containsKey(node)) {
      managedNodes.remove(node); // as in Kubernetes, a node with pods stays managed
    }
    return false;
  }

  void removeNode(String node) {
    if (!podCounts.containsKey(node)) {
      managedNodes.remove(node);
    } else if (managedNodes.contains(node)) {
      deletedNodes.add(node);
    }
  }

  boolean isManaged(String node) {
    return managedNodes.contains(node);
  }

  void addPod(String node) {
    podCounts.merge(node, 1, Integer::sum);
  }

  void removePod(String node) {
    boolean hasNoPods =
        podCounts.computeIfPresent(node, (n, count) -> count == 1 ? null : count - 1) == null;
    if (hasNoPods && deletedNodes.remove(node)) {
      managedNodes.remove(node);
    }
  }
}
