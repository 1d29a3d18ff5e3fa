package dev.mooring.csi.state;

import dev.mooring.csi.decide.NodeHealth.NodeState;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.spi.csi.CsiConnection.Condition;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of volumes and states of nodes that claims got events about. Each map has one worker;
 * not thread-safe otherwise.
 */
public final class HealthMemory {
  // Condition of a volume with that handle.
  private record LastCondition(String handle, Condition condition) {}

  // Health conditions that the API server did not store.
  public record DroppedReport(List<Claim.HealthCondition> conditions, Instant time) {}

  private final Map<ObjectKey, LastCondition> conditions = new HashMap<>();
  private final Map<ObjectKey, DroppedReport> droppedReports = new HashMap<>();
  private final Set<ObjectKey> absentVolumes = new HashSet<>();
  private final Map<ObjectKey, NodeState> nodes = new HashMap<>();

  // Returns the last condition of the volume; null if none, or if the volume was replaced.
  public @Nullable Condition lastCondition(ObjectKey volume, String handle) {
    LastCondition last = conditions.get(volume);
    return last != null && last.handle().equals(handle) ? last.condition() : null;
  }

  /**
   * @param condition the condition to remember; null for none
   */
  public void setCondition(ObjectKey volume, String handle, @Nullable Condition condition) {
    if (condition == null) {
      conditions.remove(volume);
    } else {
      conditions.put(volume, new LastCondition(handle, condition));
    }
  }

  public Optional<DroppedReport> droppedReport(ObjectKey volume) {
    return Optional.ofNullable(droppedReports.get(volume));
  }

  public void addDroppedReport(ObjectKey volume, DroppedReport report) {
    droppedReports.put(volume, report);
  }

  public void forgetDroppedReport(ObjectKey volume) {
    droppedReports.remove(volume);
  }

  // Returns true if the list before did not contain the volume either.
  public boolean addAbsent(ObjectKey volume) {
    return !absentVolumes.add(volume);
  }

  public void forgetAbsent(ObjectKey volume) {
    absentVolumes.remove(volume);
  }

  public void retainVolumes(Set<ObjectKey> volumes) {
    conditions.keySet().retainAll(volumes);
    droppedReports.keySet().retainAll(volumes);
    absentVolumes.retainAll(volumes);
  }

  // Returns the state of an unhealthy node; null if the node is healthy or unknown.
  public @Nullable NodeState nodeState(ObjectKey node) {
    return nodes.get(node);
  }

  public void setNode(ObjectKey node, NodeState state) {
    nodes.put(node, state);
  }

  // A new node of that name has no state.
  public void forgetNode(ObjectKey node) {
    nodes.remove(node);
  }
}
