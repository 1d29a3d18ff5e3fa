package dev.mooring.attachdetach.world;

import dev.mooring.attachdetach.decide.Target;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.model.ObjectKey;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which volumes are wanted on which nodes, and by which pods. What a pod was once seen to use it
 * uses until it ends, even if its claim is torn away from under it. Thread-safe.
 */
public final class DesiredWorld {
  private record Row(PodUse use, Map<VolumeId, Target> targets) {}

  /**
   * A volume as it is wanted.
   *
   * @param target the volume; null if nobody wants it
   * @param uses the pods, those first that came first
   */
  public record Wanted(@Nullable Target target, List<PodUse> uses) {
    /** Whether a pod on that node uses it. */
    public boolean on(String node) {
      return uses.stream().anyMatch(use -> use.node().equals(node));
    }
  }

  private static final class Demand {
    private final Target target; // of the pod that came first, as in Kubernetes
    private final Map<ObjectKey, PodUse> uses = new LinkedHashMap<>();

    Demand(Target target) {
      this.target = target;
    }
  }

  private final Map<ObjectKey, Row> rows = new HashMap<>();
  private final Map<VolumeId, Demand> demands = new HashMap<>();

  /** Nobody wants anything. */
  public DesiredWorld() {}

  /**
   * A pod uses these volumes, and still those that were known before, but for the dropped ones.
   *
   * @return the volumes about which something changed
   */
  public synchronized Set<VolumeId> use(PodUse use, List<Target> targets, Set<VolumeId> dropped) {
    Set<VolumeId> changed = new HashSet<>();
    Row before = rows.get(use.pod());
    if (before != null && !before.use().equals(use)) {
      changed.addAll(end(use.pod())); // another pod of that name
      before = null;
    }
    Row row = before == null ? new Row(use, new LinkedHashMap<>()) : before;
    for (Target target : targets) {
      if (row.targets().putIfAbsent(target.id(), target) == null) {
        demands.computeIfAbsent(target.id(), id -> new Demand(target)).uses.put(use.pod(), use);
        changed.add(target.id());
      }
    }
    for (VolumeId id : dropped) {
      if (row.targets().remove(id) != null) {
        leave(use.pod(), id);
        changed.add(id);
      }
    }
    if (row.targets().isEmpty()) {
      rows.remove(use.pod());
    } else {
      rows.put(use.pod(), row);
    }
    return changed;
  }

  /**
   * A pod has ended, or is gone.
   *
   * @return the volumes that it used
   */
  public synchronized Set<VolumeId> end(ObjectKey pod) {
    Row row = rows.remove(pod);
    if (row == null) {
      return Set.of();
    }
    row.targets().keySet().forEach(id -> leave(pod, id));
    return Collections.unmodifiableSet(row.targets().keySet()); // in order, unlike a copy
  }

  private void leave(ObjectKey pod, VolumeId id) {
    Demand demand = demands.get(id);
    if (demand != null) {
      demand.uses.remove(pod);
      if (demand.uses.isEmpty()) {
        demands.remove(id);
      }
    }
  }

  /** The pod as it is known to use volumes; null if it is not. */
  public synchronized @Nullable PodUse known(ObjectKey pod) {
    Row row = rows.get(pod);
    return row == null ? null : row.use();
  }

  /** How a volume is wanted. */
  public synchronized Wanted wanted(VolumeId id) {
    Demand demand = demands.get(id);
    return demand == null
        ? new Wanted(null, List.of())
        : new Wanted(demand.target, List.copyOf(demand.uses.values()));
  }

  /** Whether a pod on the node uses the volume. */
  public synchronized boolean wants(VolumeId id, String node) {
    Demand demand = demands.get(id);
    return demand != null && demand.uses.values().stream().anyMatch(u -> u.node().equals(node));
  }

  /** How many pairs of volume and node are wanted, by metrics label. */
  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new HashMap<>();
    demands.forEach((id, demand) -> {
      Set<String> nodes = new HashSet<>();
      demand.uses.values().forEach(use -> nodes.add(use.node()));
      counts.merge(id.label(), nodes.size(), Integer::sum);
    });
    return counts;
  }
}
