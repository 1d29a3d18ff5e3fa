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
  private final PluginAnswers pluginAnswers;
  private final AttachRequeue queues;
  private final Map<String, Uid> nodeUids = new HashMap<>();

  public DesiredStatePopulator(
      AttachCaches caches,
      VolumeResolver resolver,
      StateOfWorld state,
      PluginAnswers pluginAnswers,
      AttachRequeue queues) {
    this.caches = caches;
    this.resolver = resolver;
    this.desired = state.desired();
    this.actual = state.actual();
    this.pluginAnswers = pluginAnswers;
    this.queues = queues;
  }

  public void apply(PopulatorTrigger trigger) {
    switch (trigger) {
      case PopulatorTrigger.OfPod(ObjectKey key) -> podChanged(key);
      case PopulatorTrigger.OfClaim(ObjectKey key) ->
          caches.pods().findByIndex(IndexSet.PODS_BY_CLAIM, key).forEach(p -> podChanged(p.key()));
      case PopulatorTrigger.OfVolume(ObjectKey key) -> volumeChanged(key);
      case PopulatorTrigger.OfNode(String name) -> nodeChanged(name);
      case PopulatorTrigger.OfStatusList(String node) ->
          caches.nodes().get(ObjectKey.cluster(node)).ifPresent(this::reportChanged);
      case PopulatorTrigger.OfDriver _ -> resolveAllPods();
      case PopulatorTrigger.OfPlugins _ -> pluginsChanged();
    }
  }

  private void requeueAll(Collection<VolumeNode> volumes) {
    volumes.forEach(queues::requeueVolume);
  }

  private void podChanged(ObjectKey key) {
    Pod pod = caches.pods().get(key).orElse(null);
    PodUse lastUse = desired.findUse(key);
    if (pod == null || pod.isTerminated()) {
      podEnded(key, lastUse);
      return;
    }
    if (lastUse != null
        && !(lastUse.uid().equals(pod.meta().uid()) && lastUse.node().equals(pod.nodeName()))) {
      podEnded(key, lastUse); // another pod of that name
    }
    if (pod.nodeName().isEmpty() || (pod.claims().isEmpty() && pod.inline().isEmpty())) {
      return;
    }
    VolumeResolver.ResolvedVolumes resolved = resolver.resolve(pod);
    PodUse use = new PodUse(key, pod.meta().uid(), pod.nodeName());
    Set<VolumeNode> changedVolumes = desired.use(use, resolved.targets(), resolved.unattachable());
    resolved.unattachable().stream()
        .filter(id -> changedVolumes.contains(new VolumeNode(id, use.node())))
        .forEach(id -> actual.addPastUser(id, use));
    changedVolumes.forEach(this::usesChanged);
    changedVolumes.forEach(this::recordIfNotInUse);
    resolved.targets().stream()
        .filter(target -> !target.exclusive() && !target.isInline())
        .forEach(target -> actual.setShared(target));
    requeueAll(changedVolumes);
  }

  private void podEnded(ObjectKey key, @Nullable PodUse lastUse) {
    Set<VolumeNode> unusedVolumes = desired.end(key);
    if (lastUse != null) {
      unusedVolumes.forEach(volumeNode -> actual.addPastUser(volumeNode.volume(), lastUse));
    }
    unusedVolumes.forEach(this::usesChanged);
    requeueAll(unusedVolumes);
  }

  // after the last pod ends, the volume keeps the exclusivity of that pod's use until the detach
  private void usesChanged(VolumeNode volumeNode) {
    List<VolumeUse> uses = desired.uses(volumeNode.volume(), volumeNode.node());
    if (uses.isEmpty()) {
      actual.removeUnlistedUse(volumeNode.volume(), volumeNode.node());
    } else {
      boolean isExclusive = uses.stream().anyMatch(use -> use.target().exclusive());
      actual.setExclusive(volumeNode.volume(), volumeNode.node(), isExclusive);
    }
  }

  // a kubelet lists a volume in use soon after its pod is bound, and before the mount
  private void recordIfNotInUse(VolumeNode volumeNode) {
    String name = volumeNode.volume().text();
    Node node = caches.node(volumeNode.node());
    if (node != null
        && !node.volumesInUse().contains(name)
        && !node.volumesAttached().containsKey(name)
        && desired.uses(volumeNode.volume(), volumeNode.node()).size() == 1) {
      actual.addUnlistedUse(volumeNode.volume(), volumeNode.node());
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
      desired.removeNode(name);
      nodeUids.remove(name);
    } else {
      boolean isNewNode = !node.meta().uid().equals(nodeUids.get(name));
      if (desired.addNode(name, node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED), isNewNode)
          || isNewNode) {
        resolvePodsOn(name);
      }
      reportChanged(node);
    }
    actual.volumesOn(name).forEach(id -> queues.requeueVolume(new VolumeNode(id, name)));
  }

  private void resolvePodsOn(String node) {
    for (Pod pod : caches.pods().findByIndex(AttachCaches.PODS_BY_NODE, node)) {
      podChanged(pod.key());
      requeueAll(desired.findVolumes(pod.key())); // the node may have become managed
    }
  }

  private void reportChanged(Node node) {
    String name = node.meta().name();
    boolean isKnown = node.meta().uid().equals(nodeUids.put(name, node.meta().uid()));
    if (desired.isManaged(name) && !node.volumesAttached().equals(actual.createStatusList(name))) {
      if (isKnown) {
        queues.requeueForeignStatus(name);
      } else {
        queues.requeueStatus(name);
      }
    }
    // a contest may be decided once no status lists the volume
    actual.findContestedVolumes(name).stream()
        .filter(this::isExclusive)
        .forEach(id -> queues.requeueVolume(new VolumeNode(id, name)));
  }

  private void pluginsChanged() {
    Map<String, Long> generations =
        resolver.generations(); // an unanswered question changes it again
    resolveAllPods();
    pluginAnswers.recordAnswers(generations);
  }

  /**
   * Records the generations of the plugins that answer at the start. Called once, before the first
   * change.
   */
  public void recordFirstGenerations() {
    pluginAnswers.recordAnswers(resolver.generations());
  }

  // Resolves all pods again. Drivers and plugins change seldom, and may concern any pod.
  private void resolveAllPods() {
    for (Pod pod : caches.pods().snapshot().objects()) {
      if (!pod.claims().isEmpty() || !pod.inline().isEmpty()) {
        podChanged(pod.key());
      }
    }
  }
}
