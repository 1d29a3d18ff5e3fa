package dev.mooring.attachdetach.observe;

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

/** Puts together what is known about a volume. Thread-safe. */
public record AttachViews(
    DesiredStateOfWorld desired,
    ActualStateOfWorld actual,
    Informer<Node> nodes,
    Informer<Pod> pods,
    Knowledge known,
    Time time) {
  /** Says what is being done about a volume on a node. */
  @FunctionalInterface
  public interface Work {
    /** What is being done. */
    Running running(VolumeId id, String node);
  }

  /** Says how often that failed. */
  @FunctionalInterface
  public interface Failures {
    /** How many attaches failed in a row. */
    int of(VolumeId id, String node);
  }

  /**
   * What else is known of a volume on a node.
   *
   * @param running what is being done
   * @param failures how often that failed
   * @param provenDead whether the node was found dead
   */
  public record Knowledge(
      Work running, Failures failures, BiPredicate<VolumeId, String> provenDead) {}

  /** Whether one node at a time may have the volume. */
  public boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }

  /** Everything about the volume, on all nodes. */
  public AttachView of(VolumeId id) {
    WantedVolume wanted = desired.wanted(id);
    // what runs is asked before what is attached: what ends in between is then seen as attached
    Set<String> names = new LinkedHashSet<>();
    byClaims(wanted, true).forEach(names::add);
    byClaims(wanted, false).forEach(names::add);
    Set<String> wanting = Set.copyOf(names);
    actual.places(id).forEach(place -> names.add(place.node()));
    Map<String, Running> running = new HashMap<>();
    names.forEach(node -> running.put(node, known.running().running(id, node)));
    Map<String, ActualStateOfWorld.Place> places = new HashMap<>();
    actual.places(id).forEach(place -> places.put(place.node(), place));
    List<NodeView> views = new ArrayList<>(names.size());
    for (String node : names) {
      views.add(
          node(
              id,
              node,
              wanting.contains(node),
              places.get(node),
              running.getOrDefault(node, Running.NOTHING)));
    }
    return new AttachView(id, isExclusive(id), views);
  }

  /**
   * The nodes whose pods name the volume in a claim, or in the pod itself. Claims come first:
   * anyone who may make pods can name any storage there.
   */
  private static Stream<String> byClaims(WantedVolume wanted, boolean byClaim) {
    return wanted.uses().stream()
        .filter(use -> use.target().isInline() != byClaim)
        .map(VolumeUse::node);
  }

  /**
   * The volume as far as it concerns one node: all that matters there of a volume that nodes may
   * share, whoever else has it. It costs the same however many they are.
   *
   * @return a view with that node, or with none if the volume has nothing to do with it
   */
  public AttachView of(VolumeId id, String name) {
    boolean wanted = desired.wants(id, name);
    Running running = known.running().running(id, name); // first, as above
    ActualStateOfWorld.Place place = actual.place(id, name);
    return new AttachView(
        id,
        isExclusive(id),
        wanted || place != null ? List.of(node(id, name, wanted, place, running)) : List.of());
  }

  private NodeView node(
      VolumeId id,
      String name,
      boolean wanted,
      ActualStateOfWorld.@Nullable Place place,
      Running running) {
    Node node = nodes.get(ObjectKey.cluster(name)).orElse(null);
    NodeView.State state = state(name, node, wanted);
    return new NodeView(
        name,
        wanted,
        place != null
            ? place.held()
            : wanted && isMounted(id, name, state) ? Held.PERHAPS : Held.NO,
        running,
        isInUse(id, name, node),
        trace(id, name, place),
        state,
        node != null && node.isOutOfService(),
        known.provenDead().test(id, name),
        place == null || place.unwantedSince() == 0
            ? null
            : Duration.ofNanos(time.nanos() - place.unwantedSince()),
        wanted ? known.failures().of(id, name) : 0);
  }

  /** Whether the node says that it uses the volume, or did so last. */
  public boolean isInUse(VolumeId id, String node) {
    return isInUse(id, node, nodes.get(ObjectKey.cluster(node)).orElse(null));
  }

  /**
   * Whether the node has it mounted, whatever is known of its attachment: it says that it uses the
   * volume, and a pod there that does so runs, or a container of it, an initial one say, which a
   * kubelet begins when all is mounted. That it uses the volume it says of pods that wait as well.
   * After the machine was started anew both may be said for a moment of what is not mounted yet: a
   * pod that ran is said to run. While no container of a pod runs that has all mounted, because its
   * images are fetched, say, nothing says so.
   */
  public boolean isMounted(VolumeId id, String node) {
    return isInUse(id, node) && runs(id, node);
  }

  /** Nothing is known of what a kubelet says that attaches its volumes itself. */
  private boolean isMounted(VolumeId id, String node, NodeView.State state) {
    return switch (state) {
      case UNMANAGED, UNMANAGED_GONE -> runs(id, node);
      case READY, NOT_READY, GONE -> isMounted(id, node);
    };
  }

  private NodeView.Trace trace(VolumeId id, String node, ActualStateOfWorld.@Nullable Place place) {
    if (place != null && place.onlyInUse()) {
      return NodeView.Trace.ONLY_IN_USE;
    }
    return actual.isNeverListed(id, node) && !runs(id, node)
        ? NodeView.Trace.NEVER_LISTED
        : NodeView.Trace.USUAL;
  }

  /** Whether a container runs there whose pod uses the volume. */
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
        || (!node.isReady() && actual.saidBefore(id, name));
  }

  /** Whether a node is there whose kubelet attaches its volumes itself. */
  public boolean isUnmanaged(String node) {
    return state(node, nodes.get(ObjectKey.cluster(node)).orElse(null), false)
        == NodeView.State.UNMANAGED;
  }

  /** To a node that is gone, and was never seen to be managed, nothing is attached either. */
  private NodeView.State state(String name, @Nullable Node node, boolean wanted) {
    boolean managed =
        desired.isManaged(name) || (node != null && node.meta().has(Populator.MANAGED));
    if (node == null) {
      return wanted && !managed ? NodeView.State.UNMANAGED_GONE : NodeView.State.GONE;
    }
    if (!managed) {
      return NodeView.State.UNMANAGED;
    }
    return node.isReady() ? NodeView.State.READY : NodeView.State.NOT_READY;
  }
}
