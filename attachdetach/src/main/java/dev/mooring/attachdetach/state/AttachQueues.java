package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.model.ObjectKey;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The controller's queues, fair by the namespaces that their keys serve. Thread-safe. */
public final class AttachQueues implements AttachRequeue {
  /**
   * Volume to decide about.
   *
   * @param node node of a shared volume; "" for all nodes of an exclusive volume
   */
  public record VolumeKey(VolumeId volume, String node) {
    static VolumeKey allNodes(VolumeId volume) {
      return new VolumeKey(volume, "");
    }

    public boolean isAllNodes() {
      return node.isEmpty();
    }

    @Override
    public String toString() {
      return isAllNodes() ? volume.toString() : volume + " on node " + node; // in log lines
    }
  }

  // longest back-off of failing status writes; after an outage the writes wait at most this long
  public static final Duration MAX_STATUS_BACKOFF = Duration.ofSeconds(5);

  private static final Duration FIRST_STATUS_BACKOFF = Duration.ofMillis(50);

  // time after which the controller overwrites a list of another client
  private static final Duration FOREIGN_LIST_DELAY = Duration.ofSeconds(10);

  private final StateOfWorld state;
  private final AttachCaches caches;
  private final Time time;
  private final WorkQueue<PopulatorTrigger> triggers;
  private final WorkQueue<VolumeKey> volumes;
  private final WorkQueue<String> statuses;
  private final Set<VolumeId> exclusiveVolumes =
      ConcurrentHashMap.newKeySet(); // as of their last change

  public AttachQueues(StateOfWorld state, AttachCaches caches, Time time) {
    this.state = state;
    this.caches = caches;
    this.time = time;
    this.triggers = WorkQueue.fair("pvcs", time, this::findNamespace);
    this.volumes = WorkQueue.fair("attach_detach", time, this::findNamespace);
    this.statuses =
        new WorkQueue<>(
            "node_status", time, new Backoff<>(FIRST_STATUS_BACKOFF, MAX_STATUS_BACKOFF));
  }

  public WorkQueue<PopulatorTrigger> triggers() {
    return triggers;
  }

  public WorkQueue<VolumeKey> volumes() {
    return volumes;
  }

  public WorkQueue<String> statuses() {
    return statuses;
  }

  @Override
  public void requeueVolume(VolumeNode volumeNode) {
    VolumeId volume = volumeNode.volume();
    if (state.isExclusive(volume)) {
      exclusiveVolumes.add(volume);
      enqueueAllNodes(volume);
    } else if (exclusiveVolumes.remove(volume)) {
      enqueueAllNodes(volume); // nodes may be waiting that now share it
    } else {
      enqueueNode(volumeNode);
    }
  }

  public void enqueueAllNodes(VolumeId volume) {
    volumes.add(VolumeKey.allNodes(volume));
  }

  public void enqueueNode(VolumeNode volumeNode) {
    volumes.add(new VolumeKey(volumeNode.volume(), volumeNode.node()));
  }

  @Override
  public void requeueStatus(String node) {
    statuses.add(node);
  }

  @Override
  public void requeueBatchedStatus(String node) {
    statuses.addAfter(node, state.actual().findStatusDelay(node, time.nanos()));
  }

  @Override
  public void requeueForeignStatus(String node) {
    statuses.addAfter(node, FOREIGN_LIST_DELAY);
  }

  @Override
  public void addTrigger(PopulatorTrigger trigger) {
    triggers.add(trigger);
  }

  private Object findNamespace(PopulatorTrigger trigger) {
    return switch (trigger) {
      case PopulatorTrigger.OfPod(ObjectKey pod) -> pod.namespace();
      case PopulatorTrigger.OfClaim(ObjectKey claim) -> claim.namespace();
      case PopulatorTrigger.OfVolume(ObjectKey volume) -> findVolumeNamespace(volume);
      case PopulatorTrigger.OfNode _,
          PopulatorTrigger.OfStatusList _,
          PopulatorTrigger.OfDriver _,
          PopulatorTrigger.OfPlugins _ ->
          "";
    };
  }

  // Returns the namespace that a volume on a node serves; "" for none.
  public Object findNamespace(VolumeNode volumeNode) {
    return findNamespace(new VolumeKey(volumeNode.volume(), volumeNode.node()));
  }

  private Object findNamespace(VolumeKey key) {
    String usedNamespace = state.desired().findNamespace(key.volume());
    return usedNamespace.isEmpty() ? findTargetNamespace(key) : usedNamespace;
  }

  private Object findTargetNamespace(VolumeKey key) {
    Stream<String> nodes =
        key.isAllNodes()
            ? state.actual().entries(key.volume()).stream().map(NodeEntry::node)
            : Stream.of(key.node());
    return nodes
        .flatMap(node -> Optional.ofNullable(state.actual().target(key.volume(), node)).stream())
        .findFirst()
        .filter(target -> !target.isInline())
        .map(AttachTarget::persistentVolume)
        .map(ObjectKey::cluster)
        .map(this::findVolumeNamespace)
        .orElse("");
  }

  private Object findVolumeNamespace(ObjectKey volume) {
    return ServedNamespace.ofVolumes(caches.volumes()).apply(volume);
  }
}
