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

  public void add(VolumeNode pair) {
    failures.compute(
        pair.volume(),
        (id, before) -> {
          Map<String, Integer> nodes = before == null ? new ConcurrentHashMap<>(1) : before;
          nodes.putIfAbsent(pair.node(), 0);
          return nodes;
        });
  }

  // Changes the number of failures. Results for forgotten pairs are dropped.
  public void count(VolumeNode pair, IntUnaryOperator change) {
    failures.computeIfPresent(
        pair.volume(),
        (id, nodes) -> {
          nodes.computeIfPresent(pair.node(), (node, before) -> change.applyAsInt(before));
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
   * Forgets a pair.
   *
   * @param also runs if the pair was known, before another attempt can be added
   */
  public void forget(VolumeNode pair, Runnable also) {
    failures.computeIfPresent(
        pair.volume(),
        (id, nodes) -> {
          if (nodes.remove(pair.node()) != null) {
            also.run();
          }
          return nodes.isEmpty() ? null : nodes;
        });
  }

  public int trackedVolumes() {
    return failures.size();
  }
}
