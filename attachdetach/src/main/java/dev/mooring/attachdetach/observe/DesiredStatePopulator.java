package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.PodUse;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.VolumeUse;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.PluginAnswers;
import dev.mooring.attachdetach.state.PopulatorTrigger;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.informer.IndexSet;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the desired state of world up to date, and requeues changed volumes and nodes. Called by
 * one thread at a time, and so the only writer of the desired state.
 */
public final class DesiredStatePopulator {
  private final AttachCaches caches;
  private final VolumeResolver resolver;
  private final DesiredStateOfWorld desired;
  private final ActualStateOfWorld actual;
  private final PluginAnswers answers;
  private final AttachRequeue requeue;
  private final Map<String, Uid> nodes = new HashMap<>();

  public DesiredStatePopulator(
      AttachCaches caches,
      VolumeResolver resolver,
      StateOfWorld state,
      PluginAnswers answers,
      AttachRequeue requeue) {
    this.caches = caches;
    this.resolver = resolver;
    this.desired = state.desired();
    this.actual = state.actual();
    this.answers = answers;
    this.requeue = requeue;
  }

  public void apply(PopulatorTrigger trigger) {
    switch (trigger) {
      case PopulatorTrigger.OfPod(ObjectKey key) -> podChanged(key);
      case PopulatorTrigger.OfClaim(ObjectKey key) ->
          caches.pods().findByIndex(IndexSet.PODS_BY_CLAIM, key).forEach(p -> podChanged(p.key()));
      case PopulatorTrigger.OfVolume(ObjectKey key) -> volumeChanged(key);
      case PopulatorTrigger.OfNode(String name) -> nodeChanged(name);
      case PopulatorTrigger.OfReport(String node) ->
          caches.nodes().get(ObjectKey.cluster(node)).ifPresent(this::reportChanged);
      case PopulatorTrigger.OfDriver _ -> resolveAllPods();
      case PopulatorTrigger.OfPlugins _ -> pluginsChanged();
    }
  }

  private void requeue(Collection<VolumeNode> volumes) {
    volumes.forEach(requeue::volume);
  }

  private void podChanged(ObjectKey key) {
    Pod pod = caches.pods().get(key).orElse(null);
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
    Node node = caches.node(at.node());
    if (node != null
        && !node.volumesInUse().contains(name)
        && !node.volumesAttached().containsKey(name)
        && desired.uses(at.volume(), at.node()).size() == 1) {
      actual.addUnlistedUse(at.volume(), at.node());
    }
  }

  private boolean isExclusive(VolumeId id) {
    return desired.isExclusive(id) || actual.isExclusive(id);
  }

  private void volumeChanged(ObjectKey key) {
    ClaimRef ref = caches.volumes().get(key).map(Volume::claimRef).orElse(null);
    if (ref != null) {
      apply(new PopulatorTrigger.OfClaim(ref.claim()));
    }
  }

  private void nodeChanged(String name) {
    Node node = caches.node(name);
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
    actual.on(name).forEach(id -> requeue.volume(new VolumeNode(id, name)));
  }

  private void resolvePodsOn(String node) {
    for (Pod pod : caches.pods().findByIndex(AttachCaches.PODS_BY_NODE, node)) {
      podChanged(pod.key());
      requeue(desired.usedBy(pod.key())); // the node may have become managed
    }
  }

  private void reportChanged(Node node) {
    String name = node.meta().name();
    boolean known = node.meta().uid().equals(nodes.put(name, node.meta().uid()));
    if (desired.isManaged(name) && !node.volumesAttached().equals(actual.reportOf(name))) {
      if (known) {
        requeue.foreignStatus(name);
      } else {
        requeue.status(name);
      }
    }
    // a contest may be decided once no status lists the volume
    actual.contestedOn(name).stream()
        .filter(this::isExclusive)
        .forEach(id -> requeue.volume(new VolumeNode(id, name)));
  }

  private void pluginsChanged() {
    Map<String, Long> now = resolver.generations(); // an unanswered question changes it again
    resolveAllPods();
    answers.add(now);
  }

  /**
   * Records the generations of the plugins that answer at the start. Called once, before the first
   * change.
   */
  public void begin() {
    answers.add(resolver.generations());
  }

  // Resolves all pods again. Drivers and plugins change seldom, and may concern any pod.
  private void resolveAllPods() {
    for (Pod pod : caches.pods().snapshot().all()) {
      if (!pod.claims().isEmpty() || !pod.inline().isEmpty()) {
        podChanged(pod.key());
      }
    }
  }
}
