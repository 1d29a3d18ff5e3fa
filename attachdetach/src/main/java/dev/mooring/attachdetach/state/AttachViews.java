package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.NodeView;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.NodeView.Running;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.decide.WantedVolume;
import dev.mooring.informer.Informer;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the views of a volume for decisions. Thread-safe. */
public record AttachViews(
    DesiredStateOfWorld desired,
    ActualStateOfWorld actual,
    Informer<Node> nodes,
    Informer<Pod> pods,
    OperationFacts known,
    Time time) {
  @FunctionalInterface
  public interface RunningLookup {
    Running running(VolumeId id, String node);
  }

  @FunctionalInterface
  public interface FailureCounts {
    int of(VolumeId id, String node);
  }

  public record OperationFacts(
      RunningLookup running, FailureCounts failures, BiPredicate<VolumeId, String> provenDead) {}

  public boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }

  public AttachView of(VolumeId id) {
    WantedVolume wanted = desired.wanted(id);
    // read running operations before attachments: one that ends in between then counts as attached
    Set<String> names = new LinkedHashSet<>();
    byClaims(wanted, true).forEach(names::add);
    byClaims(wanted, false).forEach(names::add);
    Set<String> wanting = Set.copyOf(names);
    actual.entries(id).forEach(entry -> names.add(entry.node()));
    Map<String, Running> running = new HashMap<>();
    names.forEach(node -> running.put(node, known.running().running(id, node)));
    Map<String, ActualStateOfWorld.NodeEntry> entries = new HashMap<>();
    actual.entries(id).forEach(entry -> entries.put(entry.node(), entry));
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
  private static Stream<String> byClaims(WantedVolume wanted, boolean byClaim) {
    return wanted.uses().stream()
        .filter(use -> use.target().isInline() != byClaim)
        .map(VolumeUse::node);
  }

  /**
   * Returns the view of a shared volume for one node. Its cost does not depend on the number of
   * nodes.
   *
   * @return a view without nodes if the volume is neither wanted nor attached there
   */
  public AttachView of(VolumeId id, String name) {
    boolean wanted = desired.wants(id, name);
    Running running = known.running().running(id, name); // first, as above
    ActualStateOfWorld.NodeEntry entry = actual.entry(id, name);
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
    Node node = nodes.get(ObjectKey.cluster(name)).orElse(null);
    NodeView.State state = state(name, node, wanted);
    return new NodeView(
        name,
        wanted,
        entry != null
            ? entry.held()
            : wanted && isMounted(id, name, state) ? Held.PERHAPS : Held.NO,
        running,
        isInUse(id, name, node),
        trace(id, name, entry),
        state,
        node != null && node.isOutOfService(),
        known.provenDead().test(id, name),
        entry == null || entry.unwantedSince() == 0
            ? null
            : Duration.ofNanos(time.nanos() - entry.unwantedSince()),
        wanted ? known.failures().of(id, name) : 0);
  }

  public boolean isInUse(VolumeId id, String node) {
    return isInUse(id, node, nodes.get(ObjectKey.cluster(node)).orElse(null));
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
  private boolean isMounted(VolumeId id, String node, NodeView.State state) {
    return switch (state) {
      case UNMANAGED, UNMANAGED_GONE -> runs(id, node);
      case READY, NOT_READY, GONE -> isMounted(id, node);
    };
  }

  private NodeView.Trace trace(
      VolumeId id, String node, ActualStateOfWorld.@Nullable NodeEntry entry) {
    if (entry != null && entry.onlyInUse()) {
      return NodeView.Trace.ONLY_IN_USE;
    }
    return actual.isNeverListed(id, node) && !runs(id, node)
        ? NodeView.Trace.NEVER_LISTED
        : NodeView.Trace.USUAL;
  }

  private boolean runs(VolumeId id, String node) {
    return desired.uses(id, node).stream()
        .map(VolumeUse::pod)
        .anyMatch(use ->
            pods.get(use.pod())
                .filter(pod ->
                    pod.meta().uid().equals(use.uid())
                        && (pod.phase() == Pod.Phase.RUNNING || !pod.containersStopped()))
                .isPresent());
  }

  private boolean isInUse(VolumeId id, String name, @Nullable Node node) {
    if (node == null) {
      return actual.wasInUse(id, name);
    }
    return node.volumesInUse().contains(id.text())
        || (!node.isReady() && actual.usedByEarlierNode(id, name));
  }

  public boolean isUnmanaged(String node) {
    return state(node, nodes.get(ObjectKey.cluster(node)).orElse(null), false)
        == NodeView.State.UNMANAGED;
  }

  // a deleted Node that was never seen as managed gets no volumes either
  private NodeView.State state(String name, @Nullable Node node, boolean wanted) {
    boolean managed =
        desired.isManaged(name)
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
