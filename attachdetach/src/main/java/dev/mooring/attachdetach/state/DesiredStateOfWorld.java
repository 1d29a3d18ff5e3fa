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
 * The desired state of world: the volumes that pods need on nodes. A pod keeps its volumes here
 * until it ends, even if its claim is deleted. A look-up for one node costs the same however many
 * nodes share a volume. Only the populator writes it. Thread-safe.
 */
public final class DesiredStateOfWorld {
  // annotation of nodes whose volumes the controller attaches
  public static final String MANAGED = "volumes.kubernetes.io/controller-managed-attach-detach";

  private record PodRow(PodUse use, Map<VolumeId, AttachTarget> targets) {}

  // one use; the lower its order among the uses of the volume, the older the pod
  private record OrderedUse(long order, VolumeUse use) {}

  private static final class VolumeDemand {
    private final Map<String, List<OrderedUse>> usesByNode = new HashMap<>();
    private long count;
    private int exclusiveCount; // of uses

    void add(PodUse pod, AttachTarget target) {
      // a node usually has one use
      usesByNode
          .computeIfAbsent(pod.node(), n -> new ArrayList<>(1))
          .add(new OrderedUse(count++, new VolumeUse(pod, target)));
      exclusiveCount += target.exclusive() ? 1 : 0;
    }

    void remove(PodUse pod, AttachTarget target) {
      usesByNode.computeIfPresent(
          pod.node(),
          (node, uses) -> {
            if (uses.removeIf(orderedUse -> orderedUse.use().pod().pod().equals(pod.pod()))) {
              exclusiveCount -= target.exclusive() ? 1 : 0;
            }
            return uses.isEmpty() ? null : uses;
          });
    }

    List<VolumeUse> uses() {
      return usesByNode.values().stream()
          .flatMap(List::stream)
          .sorted(Comparator.comparingLong(OrderedUse::order))
          .map(OrderedUse::use)
          .toList();
    }

    List<VolumeUse> uses(String node) {
      return usesByNode.getOrDefault(node, List.of()).stream().map(OrderedUse::use).toList();
    }
  }

  private final Map<ObjectKey, PodRow> rows = new HashMap<>();
  private final Map<VolumeId, VolumeDemand> demands = new HashMap<>();
  private final ManagedNodes nodes = new ManagedNodes();

  public DesiredStateOfWorld() {}

  public synchronized Set<VolumeNode> use(
      PodUse use, List<AttachTarget> targets, Set<VolumeId> unattachable) {
    Set<VolumeNode> changed = new LinkedHashSet<>();
    PodRow existingRow = rows.get(use.pod());
    if (existingRow != null && !existingRow.use().equals(use)) {
      changed.addAll(end(use.pod())); // another pod of the same name
      existingRow = null;
    }
    PodRow row = existingRow == null ? new PodRow(use, new LinkedHashMap<>()) : existingRow;
    for (AttachTarget target : targets) {
      if (row.targets().putIfAbsent(target.id(), target) == null) {
        demands.computeIfAbsent(target.id(), id -> new VolumeDemand()).add(use, target);
        changed.add(new VolumeNode(target.id(), use.node()));
      }
    }
    for (VolumeId id : unattachable) {
      AttachTarget target = row.targets().remove(id);
      if (target != null) {
        removeUse(use, target);
        changed.add(new VolumeNode(id, use.node()));
      }
    }
    if (row.targets().isEmpty()) {
      removeRow(use.pod());
    } else if (rows.put(use.pod(), row) == null) {
      nodes.addPod(use.node());
    }
    return changed;
  }

  public synchronized Set<VolumeNode> end(ObjectKey pod) {
    PodRow row = removeRow(pod);
    if (row == null) {
      return Set.of();
    }
    Set<VolumeNode> releasedVolumes = new LinkedHashSet<>(); // keeps the order
    for (AttachTarget target : row.targets().values()) {
      removeUse(row.use(), target);
      releasedVolumes.add(new VolumeNode(target.id(), row.use().node()));
    }
    return releasedVolumes;
  }

  private @Nullable PodRow removeRow(ObjectKey pod) {
    PodRow row = rows.remove(pod);
    if (row != null) {
      nodes.removePod(row.use().node());
    }
    return row;
  }

  /**
   * Records that a Node exists.
   *
   * @param isManaged whether it has the annotation for controller-managed volumes
   * @param isNewNode whether it is a new Node, so that the earlier Node's annotation no longer
   *     counts
   * @return whether the node has become managed
   */
  public synchronized boolean addNode(String node, boolean isManaged, boolean isNewNode) {
    return nodes.addNode(node, isManaged, isNewNode);
  }

  /**
   * Records that a Node was deleted. It stays managed, or unmanaged, while pods are bound to it.
   */
  public synchronized void removeNode(String node) {
    nodes.removeNode(node);
  }

  /**
   * Returns whether the controller attaches the node's volumes. As in Kubernetes, a node that loses
   * the annotation stays managed until the controller restarts.
   */
  public synchronized boolean isManaged(String node) {
    return nodes.isManaged(node);
  }

  public synchronized Set<VolumeNode> findVolumes(ObjectKey pod) {
    PodRow row = rows.get(pod);
    Set<VolumeNode> volumes = new LinkedHashSet<>();
    if (row != null) {
      row.targets().keySet().forEach(id -> volumes.add(new VolumeNode(id, row.use().node())));
    }
    return volumes;
  }

  private void removeUse(PodUse use, AttachTarget target) {
    VolumeDemand demand = demands.get(target.id());
    if (demand != null) {
      demand.remove(use, target);
      if (demand.usesByNode.isEmpty()) {
        demands.remove(target.id());
      }
    }
  }

  public synchronized @Nullable PodUse findUse(ObjectKey pod) {
    PodRow row = rows.get(pod);
    return row == null ? null : row.use();
  }

  public synchronized boolean isExclusive(VolumeId id) {
    VolumeDemand demand = demands.get(id);
    return demand != null && demand.exclusiveCount > 0;
  }

  // Returns the uses of the volume by pods, oldest first.
  public synchronized List<VolumeUse> uses(VolumeId id) {
    VolumeDemand demand = demands.get(id);
    return demand == null ? List.of() : demand.uses();
  }

  public synchronized boolean isNeeded(VolumeId id, String node) {
    VolumeDemand demand = demands.get(id);
    return demand != null && demand.usesByNode.containsKey(node);
  }

  public synchronized List<VolumeUse> uses(VolumeId id, String node) {
    VolumeDemand demand = demands.get(id);
    return demand == null ? List.of() : demand.uses(node);
  }

  public synchronized String findNamespace(VolumeId id) {
    VolumeDemand demand = demands.get(id);
    return demand == null
        ? ""
        : demand.usesByNode.values().iterator().next().getFirst().use().pod().pod().namespace();
  }

  public synchronized Map<String, Integer> countByPlugin() {
    Map<String, Integer> counts = new HashMap<>();
    demands.forEach(
        (id, demand) -> counts.merge(id.label(), demand.usesByNode.size(), Integer::sum));
    return counts;
  }
}
