package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;

/**
 * Volumes on nodes with attempts to attach or detach, and failed attaches in a row. Thread-safe.
 */
public final class AttachAttempts {
  private final Map<VolumeId, Map<String, Integer>> failures = new ConcurrentHashMap<>();

  public void add(VolumeNode volumeNode) {
    failures.compute(
        volumeNode.volume(),
        (id, existing) -> {
          Map<String, Integer> nodes = existing == null ? new ConcurrentHashMap<>(1) : existing;
          nodes.putIfAbsent(volumeNode.node(), 0);
          return nodes;
        });
  }

  // Changes the number of failures. Ignores a volume that was forgotten.
  public void updateFailures(VolumeNode volumeNode, IntUnaryOperator change) {
    failures.computeIfPresent(
        volumeNode.volume(),
        (id, nodes) -> {
          nodes.computeIfPresent(
              volumeNode.node(), (node, failureCount) -> change.applyAsInt(failureCount));
          return nodes;
        });
  }

  public int failures(VolumeId volume, String node) {
    return failures.getOrDefault(volume, Map.of()).getOrDefault(node, 0);
  }

  public Set<String> nodes(VolumeId volume) {
    return Set.copyOf(failures.getOrDefault(volume, Map.of()).keySet());
  }

  /**
   * Forgets a volume on a node.
   *
   * @param onForget runs if an attempt was recorded, before another attempt can be added
   */
  public void forget(VolumeNode volumeNode, Runnable onForget) {
    failures.computeIfPresent(
        volumeNode.volume(),
        (id, nodes) -> {
          if (nodes.remove(volumeNode.node()) != null) {
            onForget.run();
          }
          return nodes.isEmpty() ? null : nodes;
        });
  }

  public int trackedVolumes() {
    return failures.size();
  }
}
