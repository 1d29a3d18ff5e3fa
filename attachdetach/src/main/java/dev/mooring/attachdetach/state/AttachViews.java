package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.NodeView.Running;
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

  public AttachView of(VolumeId id) {
    List<VolumeUse> uses = state.desired().uses(id);
    // read running operations before attachments: one that ends in between then counts as attached
    Set<String> names = new LinkedHashSet<>();
    byClaims(uses, true).forEach(names::add);
    byClaims(uses, false).forEach(names::add);
    Set<String> wanting = Set.copyOf(names);
    state.actual().entries(id).forEach(entry -> names.add(entry.node()));
    Map<String, Running> running = new HashMap<>();
    names.forEach(node -> running.put(node, operations.running(id, node)));
    Map<String, ActualStateOfWorld.NodeEntry> entries = new HashMap<>();
    state.actual().entries(id).forEach(entry -> entries.put(entry.node(), entry));
    List<NodeView> views = new ArrayList<>(names.size());
    for (String node : names) {
      views.add(
          node(
              id,
              node,
              wanting.contains(node),
              entries.get(node),
              running.getOrDefault(node, Running.NOTHING)));
    }
    return new AttachView(id, isExclusive(id), views);
  }

  // claims come first, because anyone who may create pods can name any storage inline
  private static Stream<String> byClaims(List<VolumeUse> uses, boolean byClaim) {
    return uses.stream().filter(use -> use.target().isInline() != byClaim).map(VolumeUse::node);
  }

  /**
   * Returns the view of a shared volume for one node. Its cost does not depend on the number of
   * nodes.
   *
   * @return a view without nodes if the volume is neither wanted nor attached there
   */
  public AttachView of(VolumeId id, String name) {
    boolean wanted = state.desired().wants(id, name);
    Running running = operations.running(id, name); // first, as above
    ActualStateOfWorld.NodeEntry entry = state.actual().entry(id, name);
    return new AttachView(
        id,
        isExclusive(id),
        wanted || entry != null ? List.of(node(id, name, wanted, entry, running)) : List.of());
  }

  private NodeView node(
      VolumeId id,
      String name,
      boolean wanted,
      ActualStateOfWorld.@Nullable NodeEntry entry,
      Running running) {
    Node node = caches.node(name);
    NodeView.State condition = condition(name, node, wanted);
    return new NodeView(
        name,
        wanted,
        entry != null
            ? entry.held()
            : wanted && isMounted(id, name, condition) ? Held.PERHAPS : Held.NO,
        running,
        isInUse(id, name, node),
        trace(id, name, entry),
        condition,
        node != null && node.isOutOfService(),
        state.suspects().isDead(id, name),
        entry == null || entry.unwantedSince() == 0
            ? null
            : Duration.ofNanos(time.nanos() - entry.unwantedSince()),
        wanted ? state.attempts().failures(id, name) : 0);
  }

  public boolean isIdle(VolumeId id, String node) {
    return operations.running(id, node) == Running.NOTHING;
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
    return isInUse(id, node) && runs(id, node);
  }

  // a kubelet that attaches volumes itself reports no volumes in use
  private boolean isMounted(VolumeId id, String node, NodeView.State condition) {
    return switch (condition) {
      case UNMANAGED, UNMANAGED_GONE -> runs(id, node);
      case READY, NOT_READY, GONE -> isMounted(id, node);
    };
  }

  private NodeView.Trace trace(
      VolumeId id, String node, ActualStateOfWorld.@Nullable NodeEntry entry) {
    if (entry != null && entry.onlyInUse()) {
      return NodeView.Trace.ONLY_IN_USE;
    }
    return state.actual().isNeverListed(id, node) && !runs(id, node)
        ? NodeView.Trace.NEVER_LISTED
        : NodeView.Trace.USUAL;
  }

  private boolean runs(VolumeId id, String node) {
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
        || (!node.isReady() && state.actual().usedByEarlierNode(id, name));
  }

  public boolean isUnmanaged(String node) {
    return condition(node, caches.node(node), false) == NodeView.State.UNMANAGED;
  }

  // a deleted Node that was never seen as managed gets no volumes either
  private NodeView.State condition(String name, @Nullable Node node, boolean wanted) {
    boolean managed =
        state.desired().isManaged(name)
            || (node != null && node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED));
    if (node == null) {
      return wanted && !managed ? NodeView.State.UNMANAGED_GONE : NodeView.State.GONE;
    }
    if (!managed) {
      return NodeView.State.UNMANAGED;
    }
    return node.isReady() ? NodeView.State.READY : NodeView.State.NOT_READY;
  }
}
