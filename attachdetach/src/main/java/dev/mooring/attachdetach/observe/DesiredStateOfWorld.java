package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.decide.WantedVolume;
import dev.mooring.model.ObjectKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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

  /** The place of a use among all uses of its volume tells which pod came first. */
  private record Use(long place, VolumeUse use) {}

  private static final class Demand {
    private final Map<String, List<Use>> byNode = new HashMap<>();
    private long places;
    private int exclusive; // uses that allow one node at a time

    void add(PodUse pod, AttachTarget target) {
      // almost always there is one
      byNode
          .computeIfAbsent(pod.node(), n -> new ArrayList<>(1))
          .add(new Use(places++, new VolumeUse(pod, target)));
      exclusive += target.exclusive() ? 1 : 0;
    }

    void remove(PodUse pod, AttachTarget target) {
      byNode.computeIfPresent(
          pod.node(),
          (node, uses) -> {
            if (uses.removeIf(one -> one.use().pod().pod().equals(pod.pod()))) {
              exclusive -= target.exclusive() ? 1 : 0;
            }
            return uses.isEmpty() ? null : uses;
          });
    }

    List<VolumeUse> uses() {
      return byNode.values().stream()
          .flatMap(List::stream)
          .sorted(Comparator.comparingLong(Use::place))
          .map(Use::use)
          .toList();
    }

    List<VolumeUse> uses(String node) {
      return byNode.getOrDefault(node, List.of()).stream().map(Use::use).toList();
    }
  }

  private final Map<ObjectKey, Row> rows = new HashMap<>();
  private final Map<VolumeId, Demand> demands = new HashMap<>();
  private final ManagedNodes nodes = new ManagedNodes();

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
        demands.computeIfAbsent(target.id(), id -> new Demand()).add(use, target);
        changed.add(new VolumeNode(target.id(), use.node()));
      }
    }
    for (VolumeId id : dropped) {
      AttachTarget target = row.targets().remove(id);
      if (target != null) {
        leave(use, target);
        changed.add(new VolumeNode(id, use.node()));
      }
    }
    if (row.targets().isEmpty()) {
      removeRow(use.pod());
    } else if (rows.put(use.pod(), row) == null) {
      nodes.podCame(use.node());
    }
    return changed;
  }

  /**
   * A pod has ended, or is gone.
   *
   * @return the volumes that it used, where it did
   */
  public synchronized Set<VolumeNode> end(ObjectKey pod) {
    Row row = removeRow(pod);
    if (row == null) {
      return Set.of();
    }
    Set<VolumeNode> left = new LinkedHashSet<>(); // in order, unlike a copy
    for (AttachTarget target : row.targets().values()) {
      leave(row.use(), target);
      left.add(new VolumeNode(target.id(), row.use().node()));
    }
    return left;
  }

  private @Nullable Row removeRow(ObjectKey pod) {
    Row row = rows.remove(pod);
    if (row != null) {
      nodes.podLeft(row.use().node());
    }
    return row;
  }

  /**
   * A node is there.
   *
   * @param managed whether it says that the controller attaches its volumes
   * @param another whether it is a new Node, so that what an earlier one said is over
   * @return whether the controller attaches its volumes from now on, and did not before
   */
  public synchronized boolean nodeIsThere(String node, boolean managed, boolean another) {
    return nodes.isThere(node, managed, another);
  }

  /** A node is gone. It counts as what it was while pods are left on it. */
  public synchronized void nodeIsGone(String node) {
    nodes.isGone(node);
  }

  /**
   * Whether the controller attaches the node's volumes. As in Kubernetes, a node that loses the
   * annotation stays managed until the controller restarts.
   */
  public synchronized boolean isManaged(String node) {
    return nodes.isManaged(node);
  }

  public synchronized Set<VolumeNode> usedBy(ObjectKey pod) {
    Row row = rows.get(pod);
    Set<VolumeNode> used = new LinkedHashSet<>();
    if (row != null) {
      row.targets().keySet().forEach(id -> used.add(new VolumeNode(id, row.use().node())));
    }
    return used;
  }

  private void leave(PodUse use, AttachTarget target) {
    Demand demand = demands.get(target.id());
    if (demand != null) {
      demand.remove(use, target);
      if (demand.byNode.isEmpty()) {
        demands.remove(target.id());
      }
    }
  }

  /** The pod as it is known to use volumes; null if it is not. */
  public synchronized @Nullable PodUse known(ObjectKey pod) {
    Row row = rows.get(pod);
    return row == null ? null : row.use();
  }

  /** Whether a pod uses the volume in a way that allows one node at a time. */
  public synchronized boolean isExclusive(VolumeId id) {
    Demand demand = demands.get(id);
    return demand != null && demand.exclusive > 0;
  }

  /** How a volume is wanted, with every pod that uses it. */
  public synchronized WantedVolume wanted(VolumeId id) {
    Demand demand = demands.get(id);
    return demand == null ? WantedVolume.NONE : new WantedVolume(demand.uses());
  }

  /** Whether a pod on the node uses the volume. */
  public synchronized boolean wants(VolumeId id, String node) {
    Demand demand = demands.get(id);
    return demand != null && demand.byNode.containsKey(node);
  }

  /** The pods on the node that use the volume, in the order in which they came. */
  public synchronized List<VolumeUse> uses(VolumeId id, String node) {
    Demand demand = demands.get(id);
    return demand == null ? List.of() : demand.uses(node);
  }

  /** The namespace of a pod that uses the volume, "" if there is none. */
  public synchronized String namespace(VolumeId id) {
    Demand demand = demands.get(id);
    return demand == null
        ? ""
        : demand.byNode.values().iterator().next().getFirst().use().pod().pod().namespace();
  }

  /** How many pairs of volume and node are wanted, by metrics label. */
  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new HashMap<>();
    demands.forEach((id, demand) -> counts.merge(id.label(), demand.byNode.size(), Integer::sum));
    return counts;
  }
}
