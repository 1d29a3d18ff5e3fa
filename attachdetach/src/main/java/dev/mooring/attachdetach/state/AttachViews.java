package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.NodeView.Operation;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the views of a volume for decisions. Thread-safe. */
public record AttachViews(
    AttachCaches caches, StateOfWorld state, RunningOperations operations, Time time) {
  public boolean isExclusive(VolumeId id) {
    return state.isExclusive(id);
  }

  public AttachView createView(VolumeId id) {
    List<VolumeUse> uses = state.desired().uses(id);
    // read running operations before attachments: one that ends in between then counts as attached
    Set<String> nodeNames = new LinkedHashSet<>();
    findNodes(uses, true).forEach(nodeNames::add);
    findNodes(uses, false).forEach(nodeNames::add);
    Set<String> needingNodes = Set.copyOf(nodeNames);
    state.actual().entries(id).forEach(entry -> nodeNames.add(entry.node()));
    Map<String, Operation> runningOperations = new HashMap<>();
    nodeNames.forEach(node -> runningOperations.put(node, operations.operation(id, node)));
    Map<String, NodeEntry> entries = new HashMap<>();
    state.actual().entries(id).forEach(entry -> entries.put(entry.node(), entry));
    List<NodeView> views = new ArrayList<>(nodeNames.size());
    for (String node : nodeNames) {
      views.add(
          createNodeView(
              id,
              node,
              needingNodes.contains(node),
              entries.get(node),
              runningOperations.getOrDefault(node, Operation.NONE)));
    }
    return new AttachView(id, isExclusive(id), views);
  }

  // claims come first, because anyone who may create pods can name any storage inline
  private static Stream<String> findNodes(List<VolumeUse> uses, boolean hasClaim) {
    return uses.stream().filter(use -> use.target().isInline() != hasClaim).map(VolumeUse::node);
  }

  /**
   * Returns the view of a shared volume for one node. Its cost does not depend on the number of
   * nodes.
   *
   * @return a view without nodes if the volume is neither wanted nor attached there
   */
  public AttachView createView(VolumeId id, String name) {
    boolean isNeeded = state.desired().isNeeded(id, name);
    Operation operation = operations.operation(id, name); // first, as above
    NodeEntry entry = state.actual().entry(id, name);
    return new AttachView(
        id,
        isExclusive(id),
        isNeeded || entry != null
            ? List.of(createNodeView(id, name, isNeeded, entry, operation))
            : List.of());
  }

  private NodeView createNodeView(
      VolumeId id, String name, boolean isNeeded, @Nullable NodeEntry entry, Operation operation) {
    Node node = caches.node(name);
    NodeView.State nodeState = findNodeState(name, node, isNeeded);
    return new NodeView(
        name,
        isNeeded,
        entry != null
            ? entry.attachState()
            : isNeeded && isMounted(id, name, nodeState)
                ? AttachState.UNCERTAIN
                : AttachState.DETACHED,
        operation,
        isInUse(id, name, node),
        findTrace(id, name, entry, isNeeded),
        nodeState,
        node != null && node.isOutOfService(),
        state.suspects().isDead(id, name),
        entry == null || entry.unneededSince() == 0
            ? null
            : Duration.ofNanos(time.nanos() - entry.unneededSince()),
        isNeeded ? state.attempts().failures(id, name) : 0);
  }

  public boolean isIdle(VolumeId id, String node) {
    return operations.operation(id, node) == Operation.NONE;
  }

  public boolean isInUse(VolumeId id, String node) {
    return isInUse(id, node, caches.node(node));
  }

  /**
   * Returns whether the node has the volume mounted, whatever is known of its attachment. The node
   * must report it in use, and a pod with it must run, or one of its containers; a kubelet starts
   * containers after all mounts. The report alone is not enough, because it includes volumes of
   * waiting pods. After a reboot both may be stale for a moment. While a pod fetches images, a
   * mount is not detected.
   */
  public boolean isMounted(VolumeId id, String node) {
    return isInUse(id, node) && hasRunningPod(id, node);
  }

  // a kubelet that attaches volumes itself reports no volumes in use
  private boolean isMounted(VolumeId id, String node, NodeView.State nodeState) {
    return switch (nodeState) {
      case UNMANAGED, UNMANAGED_GONE -> hasRunningPod(id, node);
      case READY, NOT_READY, GONE -> isMounted(id, node);
    };
  }

  private NodeView.Trace findTrace(
      VolumeId id, String node, @Nullable NodeEntry entry, boolean isNeeded) {
    boolean isOnlyInUse = entry != null && entry.onlyInUse();
    if (isOnlyInUse && !isNeeded) {
      return NodeView.Trace.ONLY_IN_USE; // a false report ends after a timeout
    }
    if (state.actual().isNeverListed(id, node) && !hasRunningPod(id, node)) {
      return NodeView.Trace.NEVER_LISTED;
    }
    return isOnlyInUse ? NodeView.Trace.ONLY_IN_USE : NodeView.Trace.USUAL;
  }

  private boolean hasRunningPod(VolumeId id, String node) {
    return state.desired().uses(id, node).stream()
        .map(VolumeUse::pod)
        .anyMatch(use ->
            caches
                .pods()
                .get(use.pod())
                .filter(pod ->
                    pod.meta().uid().equals(use.uid())
                        && (pod.phase() == Pod.Phase.RUNNING || !pod.containersStopped()))
                .isPresent());
  }

  private boolean isInUse(VolumeId id, String name, @Nullable Node node) {
    if (node == null) {
      return state.actual().wasInUse(id, name);
    }
    return node.volumesInUse().contains(id.text())
        || (!node.isReady() && state.actual().wasUsedByEarlierNode(id, name));
  }

  public boolean isUnmanaged(String node) {
    return findNodeState(node, caches.node(node), false) == NodeView.State.UNMANAGED;
  }

  // a deleted Node that was never seen as managed gets no volumes either
  private NodeView.State findNodeState(String name, @Nullable Node node, boolean isNeeded) {
    boolean isManaged =
        state.desired().isManaged(name)
            || (node != null && node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED));
    if (node == null) {
      return isNeeded && !isManaged ? NodeView.State.UNMANAGED_GONE : NodeView.State.GONE;
    }
    if (!isManaged) {
      return NodeView.State.UNMANAGED;
    }
    return node.isReady() ? NodeView.State.READY : NodeView.State.NOT_READY;
  }
}
