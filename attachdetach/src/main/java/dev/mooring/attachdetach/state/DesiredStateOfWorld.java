package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.VolumeUse;
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
 * The desired state of world: the volumes that pods want on nodes. A pod keeps its volumes here
 * until it ends, even if its claim is deleted. Questions about one node cost the same however many
 * nodes share a volume. Only the populator writes it. Thread-safe.
 */
public final class DesiredStateOfWorld {
  // annotation of nodes whose volumes the controller attaches
  public static final String MANAGED = "volumes.kubernetes.io/controller-managed-attach-detach";

  private record PodRow(PodUse use, Map<VolumeId, AttachTarget> targets) {}

  // one use; the lower its order among the uses of the volume, the older the pod
  private record OrderedUse(long order, VolumeUse use) {}

  private static final class VolumeDemand {
    private final Map<String, List<OrderedUse>> byNode = new HashMap<>();
    private long count;
    private int exclusive; // exclusive uses

    void add(PodUse pod, AttachTarget target) {
      // mostly there is one
      byNode
          .computeIfAbsent(pod.node(), n -> new ArrayList<>(1))
          .add(new OrderedUse(count++, new VolumeUse(pod, target)));
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
          .sorted(Comparator.comparingLong(OrderedUse::order))
          .map(OrderedUse::use)
          .toList();
    }

    List<VolumeUse> uses(String node) {
      return byNode.getOrDefault(node, List.of()).stream().map(OrderedUse::use).toList();
    }
  }

  private final Map<ObjectKey, PodRow> rows = new HashMap<>();
  private final Map<VolumeId, VolumeDemand> demands = new HashMap<>();
  private final ManagedNodes nodes = new ManagedNodes();

  public DesiredStateOfWorld() {}

  public synchronized Set<VolumeNode> use(
      PodUse use, List<AttachTarget> targets, Set<VolumeId> dropped) {
    Set<VolumeNode> changed = new LinkedHashSet<>();
    PodRow before = rows.get(use.pod());
    if (before != null && !before.use().equals(use)) {
      changed.addAll(end(use.pod())); // another pod of the same name
      before = null;
    }
    PodRow row = before == null ? new PodRow(use, new LinkedHashMap<>()) : before;
    for (AttachTarget target : targets) {
      if (row.targets().putIfAbsent(target.id(), target) == null) {
        demands.computeIfAbsent(target.id(), id -> new VolumeDemand()).add(use, target);
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

  public synchronized Set<VolumeNode> end(ObjectKey pod) {
    PodRow row = removeRow(pod);
    if (row == null) {
      return Set.of();
    }
    Set<VolumeNode> left = new LinkedHashSet<>(); // keeps the order
    for (AttachTarget target : row.targets().values()) {
      leave(row.use(), target);
      left.add(new VolumeNode(target.id(), row.use().node()));
    }
    return left;
  }

  private @Nullable PodRow removeRow(ObjectKey pod) {
    PodRow row = rows.remove(pod);
    if (row != null) {
      nodes.podLeft(row.use().node());
    }
    return row;
  }

  /**
   * Records that a Node exists.
   *
   * @param managed whether it has the annotation for controller-managed volumes
   * @param another whether it is a new Node, so that the earlier Node's annotation no longer counts
   * @return whether the node has become managed
   */
  public synchronized boolean nodeIsThere(String node, boolean managed, boolean another) {
    return nodes.isThere(node, managed, another);
  }

  /**
   * Records that a Node was deleted. It stays managed, or unmanaged, while pods are bound to it.
   */
  public synchronized void nodeIsGone(String node) {
    nodes.isGone(node);
  }

  /**
   * Returns whether the controller attaches the node's volumes. As in Kubernetes, a node that loses
   * the annotation stays managed until the controller restarts.
   */
  public synchronized boolean isManaged(String node) {
    return nodes.isManaged(node);
  }

  public synchronized Set<VolumeNode> usedBy(ObjectKey pod) {
    PodRow row = rows.get(pod);
    Set<VolumeNode> used = new LinkedHashSet<>();
    if (row != null) {
      row.targets().keySet().forEach(id -> used.add(new VolumeNode(id, row.use().node())));
    }
    return used;
  }

  private void leave(PodUse use, AttachTarget target) {
    VolumeDemand demand = demands.get(target.id());
    if (demand != null) {
      demand.remove(use, target);
      if (demand.byNode.isEmpty()) {
        demands.remove(target.id());
      }
    }
  }

  public synchronized @Nullable PodUse known(ObjectKey pod) {
    PodRow row = rows.get(pod);
    return row == null ? null : row.use();
  }

  public synchronized boolean isExclusive(VolumeId id) {
    VolumeDemand demand = demands.get(id);
    return demand != null && demand.exclusive > 0;
  }

  // Returns the uses of the volume by pods, oldest first.
  public synchronized List<VolumeUse> uses(VolumeId id) {
    VolumeDemand demand = demands.get(id);
    return demand == null ? List.of() : demand.uses();
  }

  public synchronized boolean wants(VolumeId id, String node) {
    VolumeDemand demand = demands.get(id);
    return demand != null && demand.byNode.containsKey(node);
  }

  public synchronized List<VolumeUse> uses(VolumeId id, String node) {
    VolumeDemand demand = demands.get(id);
    return demand == null ? List.of() : demand.uses(node);
  }

  public synchronized String namespace(VolumeId id) {
    VolumeDemand demand = demands.get(id);
    return demand == null
        ? ""
        : demand.byNode.values().iterator().next().getFirst().use().pod().pod().namespace();
  }

  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new HashMap<>();
    demands.forEach((id, demand) -> counts.merge(id.label(), demand.byNode.size(), Integer::sum));
    return counts;
  }
}
