package dev.mooring.attachdetach.state;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Nodes whose volumes the controller attaches. The caller synchronizes. */
final class ManagedNodes {
  private final Set<String> managed = new HashSet<>();
  private final Set<String> gone =
      new HashSet<>(); // managed Nodes that were deleted while pods were bound to them
  private final Map<String, Integer> pods = new HashMap<>();

  boolean isThere(String node, boolean nowManaged, boolean another) {
    gone.remove(node);
    if (nowManaged) {
      return managed.add(node);
    }
    if (another && !pods.containsKey(node)) {
      managed.remove(node); // as in Kubernetes, a node with pods stays managed
    }
    return false;
  }

  void isGone(String node) {
    if (!pods.containsKey(node)) {
      managed.remove(node);
    } else if (managed.contains(node)) {
      gone.add(node);
    }
  }

  boolean isManaged(String node) {
    return managed.contains(node);
  }

  void podCame(String node) {
    pods.merge(node, 1, Integer::sum);
  }

  void podLeft(String node) {
    boolean isEmpty =
        pods.computeIfPresent(node, (n, count) -> count == 1 ? null : count - 1) == null;
    if (isEmpty && gone.remove(node)) {
      managed.remove(node);
    }
  }
}
