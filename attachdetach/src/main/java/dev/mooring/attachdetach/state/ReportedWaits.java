package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reports that waiting pods have already received. Thread-safe. */
public final class ReportedWaits {
  private final Map<VolumeId, Map<String, String>> reportedStates = new ConcurrentHashMap<>();
  private final Map<VolumeId, Long> operationStarts = new ConcurrentHashMap<>();

  // Records the state of a node that waits; returns whether the state is new.
  public boolean recordState(VolumeId id, String node, String state) {
    Map<String, String> nodes = reportedStates.computeIfAbsent(id, i -> new ConcurrentHashMap<>());
    return !state.equals(nodes.put(node, state));
  }

  public void retain(VolumeId id, Set<String> nodes) {
    Map<String, String> nodeStates = reportedStates.get(id);
    if (nodeStates != null) {
      nodeStates.keySet().retainAll(nodes);
    }
  }

  // Returns the start of the operation that a node waits for; records it at the first call.
  public long findOperationStart(VolumeId id, long now) {
    return operationStarts.computeIfAbsent(id, i -> now);
  }

  public void endOperation(VolumeId id) {
    operationStarts.remove(id);
  }

  public void forget(VolumeId id) {
    reportedStates.remove(id);
    operationStarts.remove(id);
  }
}
