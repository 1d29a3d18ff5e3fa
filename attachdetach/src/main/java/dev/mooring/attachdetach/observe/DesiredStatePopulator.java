package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.informer.Index;
import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the desired state of world up to date, and requeues changed volumes and nodes. Called by
 * one thread at a time, and so the only writer of the desired state.
 */
public final class DesiredStatePopulator {
  public static final Index<Pod, String> PODS_BY_NODE =
      new Index<>(
          "pods by node", pod -> pod.nodeName().isEmpty() ? List.of() : List.of(pod.nodeName()));

  public sealed interface Trigger {
    record OfPod(ObjectKey key) implements Trigger {}

    record OfClaim(ObjectKey key) implements Trigger {}

    record OfVolume(ObjectKey key) implements Trigger {}

    record OfNode(String name) implements Trigger {}

    // the list of attached volumes in a node's status
    record OfReport(String node) implements Trigger {}

    record OfDriver(String name) implements Trigger {}

    // plugins were loaded, or may now answer questions that they left open
    record OfPlugins() implements Trigger {}
  }

  public record RequeueCallbacks(
      Consumer<VolumeNode> volume, Consumer<String> status, Consumer<String> foreign) {}

  public record PopulatorCaches(
      Informer<Pod> pods, Informer<Volume> volumes, Informer<Node> nodes) {}

  private final PopulatorCaches sources;
  private final VolumeResolver resolver;
  private final DesiredStateOfWorld desired;
  private final ActualStateOfWorld actual;
  private final RequeueCallbacks callbacks;
  private final Map<String, Uid> nodes = new HashMap<>();
  private volatile Map<String, Long> answered = Map.of();

  public DesiredStatePopulator(
      PopulatorCaches sources,
      VolumeResolver resolver,
      DesiredStateOfWorld desired,
      ActualStateOfWorld actual,
      RequeueCallbacks callbacks) {
    this.sources = sources;
    this.resolver = resolver;
    this.desired = desired;
    this.actual = actual;
    this.callbacks = callbacks;
  }

  public void apply(Trigger trigger) {
    switch (trigger) {
      case Trigger.OfPod(ObjectKey key) -> podChanged(key);
      case Trigger.OfClaim(ObjectKey key) ->
          sources.pods().findByIndex(IndexSet.PODS_BY_CLAIM, key).forEach(p -> podChanged(p.key()));
      case Trigger.OfVolume(ObjectKey key) -> volumeChanged(key);
      case Trigger.OfNode(String name) -> nodeChanged(name);
      case Trigger.OfReport(String node) ->
          sources.nodes().get(ObjectKey.cluster(node)).ifPresent(this::reportChanged);
      case Trigger.OfDriver _ -> resolveAllPods();
      case Trigger.OfPlugins _ -> pluginsChanged();
    }
  }

  private void requeue(Collection<VolumeNode> volumes) {
    volumes.forEach(callbacks.volume());
  }

  private void podChanged(ObjectKey key) {
    Pod pod = sources.pods().get(key).orElse(null);
    PodUse known = desired.known(key);
    if (pod == null || pod.isTerminated()) {
      podEnded(key, known);
      return;
    }
    if (known != null
        && !(known.uid().equals(pod.meta().uid()) && known.node().equals(pod.nodeName()))) {
      podEnded(key, known); // another pod of that name
    }
    if (pod.nodeName().isEmpty() || (pod.claims().isEmpty() && pod.inline().isEmpty())) {
      return;
    }
    VolumeResolver.ResolvedVolumes resolved = resolver.resolve(pod);
    PodUse use = new PodUse(key, pod.meta().uid(), pod.nodeName());
    Set<VolumeNode> changed = desired.use(use, resolved.targets(), resolved.without());
    resolved.without().stream()
        .filter(id -> changed.contains(new VolumeNode(id, use.node())))
        .forEach(id -> actual.addPastUser(id, use));
    changed.forEach(this::usesChanged);
    changed.forEach(this::recordIfNotInUse);
    resolved.targets().stream()
        .filter(target -> !target.exclusive() && !target.isInline())
        .forEach(target -> actual.share(target));
    requeue(changed);
  }

  private void podEnded(ObjectKey key, @Nullable PodUse known) {
    Set<VolumeNode> left = desired.end(key);
    if (known != null) {
      left.forEach(one -> actual.addPastUser(one.volume(), known));
    }
    left.forEach(this::usesChanged);
    requeue(left);
  }

  // after the last pod ends, the volume keeps the exclusivity of that pod's use until the detach
  private void usesChanged(VolumeNode at) {
    List<VolumeUse> uses = desired.uses(at.volume(), at.node());
    if (uses.isEmpty()) {
      actual.removeUnlistedUse(at.volume(), at.node());
    } else {
      boolean exclusive = uses.stream().anyMatch(use -> use.target().exclusive());
      actual.setExclusive(at.volume(), at.node(), exclusive);
    }
  }

  // a kubelet lists a volume in use soon after its pod is bound, and before the mount
  private void recordIfNotInUse(VolumeNode at) {
    String name = at.volume().text();
    boolean notInUse =
        sources
            .nodes()
            .get(ObjectKey.cluster(at.node()))
            .filter(node ->
                !node.volumesInUse().contains(name) && !node.volumesAttached().containsKey(name))
            .isPresent();
    if (notInUse && desired.uses(at.volume(), at.node()).size() == 1) {
      actual.addUnlistedUse(at.volume(), at.node());
    }
  }

  private boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }

  private void volumeChanged(ObjectKey key) {
    ClaimRef ref = sources.volumes().get(key).map(Volume::claimRef).orElse(null);
    if (ref != null) {
      apply(new Trigger.OfClaim(ref.claim()));
    }
  }

  private void nodeChanged(String name) {
    Node node = sources.nodes().get(ObjectKey.cluster(name)).orElse(null);
    if (node == null) {
      desired.nodeIsGone(name);
      nodes.remove(name);
    } else {
      boolean another = !node.meta().uid().equals(nodes.get(name));
      if (desired.nodeIsThere(name, node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED), another)
          || another) {
        resolvePodsOn(name);
      }
      reportChanged(node);
    }
    actual.on(name).forEach(id -> callbacks.volume().accept(new VolumeNode(id, name)));
  }

  private void resolvePodsOn(String node) {
    for (Pod pod : sources.pods().findByIndex(PODS_BY_NODE, node)) {
      podChanged(pod.key());
      requeue(desired.usedBy(pod.key())); // the node may have become managed
    }
  }

  private void reportChanged(Node node) {
    String name = node.meta().name();
    boolean known = node.meta().uid().equals(nodes.put(name, node.meta().uid()));
    if (desired.isManaged(name) && !node.volumesAttached().equals(actual.reportOf(name))) {
      (known ? callbacks.foreign() : callbacks.status()).accept(name);
    }
    // a contest may be decided once no status lists the volume
    actual.contestedOn(name).stream()
        .filter(this::isExclusive)
        .forEach(id -> callbacks.volume().accept(new VolumeNode(id, name)));
  }

  private void pluginsChanged() {
    Map<String, Long> now = resolver.generations(); // an unanswered question changes it again
    resolveAllPods();
    answered = now;
  }

  /**
   * Records the generations of the plugins that answer at the start. Called once, before the first
   * change.
   */
  public void begin() {
    answered = resolver.generations();
  }

  public boolean haveAllPluginsAnswered() {
    return answered.equals(resolver.generations());
  }

  /**
   * Returns whether the plugin of a volume has answered for every known pod. Until then a volume
   * without pods may be in use. Thread-safe.
   */
  public boolean hasPluginAnswered(VolumeId id) {
    return Objects.equals(answered.get(id.plugin()), resolver.generations().get(id.plugin()));
  }

  // Resolves all pods again. Drivers and plugins change seldom, and may concern any pod.
  private void resolveAllPods() {
    for (Pod pod : sources.pods().snapshot().all()) {
      if (!pod.claims().isEmpty() || !pod.inline().isEmpty()) {
        podChanged(pod.key());
      }
    }
  }
}
