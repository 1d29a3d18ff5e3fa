package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What was reported to pods that wait for volumes. Thread-safe. */
public final class ReportedWaits {
  private final Map<VolumeId, Map<String, String>> reported = new ConcurrentHashMap<>();
  private final Map<VolumeId, Long> movingSince = new ConcurrentHashMap<>();

  // Records the state of a node that waits; returns whether it is news.
  public boolean add(VolumeId id, String node, String state) {
    Map<String, String> nodes = reported.computeIfAbsent(id, i -> new ConcurrentHashMap<>());
    return !state.equals(nodes.put(node, state));
  }

  public void retain(VolumeId id, Set<String> nodes) {
    Map<String, String> before = reported.get(id);
    if (before != null) {
      before.keySet().retainAll(nodes);
    }
  }

  // Returns the start of the operation that a node waits for; records it at the first call.
  public long movingSince(VolumeId id, long now) {
    return movingSince.computeIfAbsent(id, i -> now);
  }

  public void endMove(VolumeId id) {
    movingSince.remove(id);
  }

  public void forget(VolumeId id) {
    reported.remove(id);
    movingSince.remove(id);
  }
}
