package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.VolumeId;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reports that waiting pods have already received. Thread-safe. */
public final class ReportedWaits {
  private final Map<VolumeId, Map<String, String>> reportedStates = new ConcurrentHashMap<>();
  private final Map<VolumeId, Long> operationStarts = new ConcurrentHashMap<>();

  // Records the state of pods or nodes that wait; returns those to which the state is new.
  public Set<String> recordState(VolumeId id, Collection<String> receivers, String state) {
    Map<String, String> states = reportedStates.computeIfAbsent(id, i -> new ConcurrentHashMap<>());
    Set<String> changed = new HashSet<>();
    for (String receiver : receivers) {
      if (!state.equals(states.put(receiver, state))) {
        changed.add(receiver);
      }
    }
    return changed;
  }

  public void retain(VolumeId id, Set<String> receivers) {
    Map<String, String> states = reportedStates.get(id);
    if (states != null) {
      states.keySet().retainAll(receivers);
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
