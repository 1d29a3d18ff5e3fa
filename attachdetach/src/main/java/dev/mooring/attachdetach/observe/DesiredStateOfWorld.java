package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.WantedVolume;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which volumes are wanted on which nodes, and by which pods. What a pod was once seen to use it
 * uses until it ends, even if its claim is torn away from under it. What is asked about one node
 * costs the same however many nodes share the volume. {@link Populator} alone writes it.
 * Thread-safe.
 */
public class DesiredStateOfWorld {
  private record Row(PodUse use, Map<VolumeId, AttachTarget> targets) {}

  /**
   * A volume as it is wanted on one node.
   *
   * @param target the volume; null if nobody wants it anywhere
   * @param wanted whether a pod on the node uses it
   */
  public record WantedThere(@Nullable AttachTarget target, boolean wanted) {}

  /** The place of a use among all uses of its volume tells which pod came first. */
  private record Use(long place, PodUse pod) {}

  private static final class Demand {
    private final AttachTarget target; // of the pod that came first, as in Kubernetes
    private final Map<String, List<Use>> byNode = new HashMap<>();
    private long places;

    Demand(AttachTarget target) {
      this.target = target;
    }

    void add(PodUse use) {
      // almost always there is one
      byNode.computeIfAbsent(use.node(), n -> new ArrayList<>(1)).add(new Use(places++, use));
    }

    void remove(PodUse use) {
      byNode.computeIfPresent(
          use.node(),
          (node, uses) -> {
            uses.removeIf(one -> one.pod().pod().equals(use.pod()));
            return uses.isEmpty() ? null : uses;
          });
    }

    List<PodUse> uses() {
      return byNode.values().stream()
          .flatMap(List::stream)
          .sorted(Comparator.comparingLong(Use::place))
          .map(Use::pod)
          .toList();
    }
  }

  private final Map<ObjectKey, Row> rows = new HashMap<>();
  private final Map<VolumeId, Demand> demands = new HashMap<>();

  /** Nobody wants anything. */
  public DesiredStateOfWorld() {}

  /**
   * A pod uses these volumes, and still those that were known before, but for the dropped ones.
   *
   * @return where something changed
   */
  public synchronized Set<VolumeNode> use(
      PodUse use, List<AttachTarget> targets, Set<VolumeId> dropped) {
    Set<VolumeNode> changed = new LinkedHashSet<>();
    Row before = rows.get(use.pod());
    if (before != null && !before.use().equals(use)) {
      changed.addAll(end(use.pod())); // another pod of that name
      before = null;
    }
    Row row = before == null ? new Row(use, new LinkedHashMap<>()) : before;
    for (AttachTarget target : targets) {
      if (row.targets().putIfAbsent(target.id(), target) == null) {
        demands.computeIfAbsent(target.id(), id -> new Demand(target)).add(use);
        changed.add(new VolumeNode(target.id(), use.node()));
      }
    }
    for (VolumeId id : dropped) {
      if (row.targets().remove(id) != null) {
        leave(use, id);
        changed.add(new VolumeNode(id, use.node()));
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
   * @return the volumes that it used, where it did
   */
  public synchronized Set<VolumeNode> end(ObjectKey pod) {
    Row row = rows.remove(pod);
    if (row == null) {
      return Set.of();
    }
    Set<VolumeNode> left = new LinkedHashSet<>(); // in order, unlike a copy
    for (VolumeId id : row.targets().keySet()) {
      leave(row.use(), id);
      left.add(new VolumeNode(id, row.use().node()));
    }
    return left;
  }

  private void leave(PodUse use, VolumeId id) {
    Demand demand = demands.get(id);
    if (demand != null) {
      demand.remove(use);
      if (demand.byNode.isEmpty()) {
        demands.remove(id);
      }
    }
  }

  /** The pod as it is known to use volumes; null if it is not. */
  public synchronized @Nullable PodUse known(ObjectKey pod) {
    Row row = rows.get(pod);
    return row == null ? null : row.use();
  }

  /** The volume; null if nobody wants it. */
  public synchronized @Nullable AttachTarget target(VolumeId id) {
    Demand demand = demands.get(id);
    return demand == null ? null : demand.target;
  }

  /** The volume's name as the pod's own volumes give it; empty if the pod does not use it. */
  public synchronized Optional<String> titleFor(ObjectKey pod, VolumeId id) {
    Row row = rows.get(pod);
    AttachTarget target = row == null ? null : row.targets().get(id);
    return target == null ? Optional.empty() : Optional.of(target.title());
  }

  /** How a volume is wanted, with every pod that uses it. */
  public synchronized WantedVolume wanted(VolumeId id) {
    Demand demand = demands.get(id);
    return demand == null
        ? new WantedVolume(null, List.of())
        : new WantedVolume(demand.target, demand.uses());
  }

  /** How a volume is wanted on a node. */
  public synchronized WantedThere wanted(VolumeId id, String node) {
    Demand demand = demands.get(id);
    return demand == null
        ? new WantedThere(null, false)
        : new WantedThere(demand.target, demand.byNode.containsKey(node));
  }

  /** Whether a pod on the node uses the volume. */
  public boolean wants(VolumeId id, String node) {
    return wanted(id, node).wanted();
  }

  /** The pods on the node that use the volume, those first that came first. */
  public synchronized List<PodUse> uses(VolumeId id, String node) {
    Demand demand = demands.get(id);
    return demand == null
        ? List.of()
        : demand.byNode.getOrDefault(node, List.of()).stream().map(Use::pod).toList();
  }

  /** How many pairs of volume and node are wanted, by metrics label. */
  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new HashMap<>();
    demands.forEach((id, demand) -> counts.merge(id.label(), demand.byNode.size(), Integer::sum));
    return counts;
  }
}
