package dev.mooring.attachdetach.state;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.ActualStateOfWorld.NodeEntry;
import dev.mooring.model.ObjectKey;
import dev.mooring.storage.ServedNamespace;
import dev.mooring.time.Time;
import dev.mooring.workqueue.Backoff;
import dev.mooring.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
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
  }

  // longest back-off of failing status writes; after an outage the writes wait at most this long
  public static final Duration STATUS_CAP = Duration.ofSeconds(5);

  private static final Duration STATUS_FIRST = Duration.ofMillis(50);

  // period of Kubernetes' reconciler
  private static final Duration BETWEEN_STATUSES = Duration.ofMillis(100);

  // time after which the controller overwrites a list of another client
  private static final Duration FOREIGN_LIST_STANDS = Duration.ofSeconds(10);

  private final StateOfWorld state;
  private final AttachCaches caches;
  private final Time time;
  private final WorkQueue<PopulatorTrigger> triggers;
  private final WorkQueue<VolumeKey> volumes;
  private final WorkQueue<String> statuses;
  private final Set<VolumeId> exclusive = ConcurrentHashMap.newKeySet(); // as of their last change

  public AttachQueues(StateOfWorld state, AttachCaches caches, Time time) {
    this.state = state;
    this.caches = caches;
    this.time = time;
    this.triggers = WorkQueue.fair("pvcs", time, this::namespace);
    this.volumes = WorkQueue.fair("attach_detach", time, this::namespace);
    this.statuses = new WorkQueue<>("node_status", time, new Backoff<>(STATUS_FIRST, STATUS_CAP));
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
  public void volume(VolumeNode where) {
    VolumeId volume = where.volume();
    if (state.isExclusive(volume)) {
      exclusive.add(volume);
      allNodes(volume);
    } else if (exclusive.remove(volume)) {
      allNodes(volume); // nodes may be waiting that now share it
    } else {
      oneNode(where);
    }
  }

  public void allNodes(VolumeId volume) {
    volumes.add(VolumeKey.allNodes(volume));
  }

  public void oneNode(VolumeNode where) {
    volumes.add(new VolumeKey(where.volume(), where.node()));
  }

  @Override
  public void status(String node) {
    statuses.add(node);
  }

  @Override
  public void statusOfMany(String node) {
    statuses.addAfter(node, statusDelay(node));
  }

  Duration statusDelay(String node) {
    OptionalLong last = state.actual().lastWriteOfMany(node);
    if (last.isEmpty()) {
      return Duration.ZERO;
    }
    Duration remaining = BETWEEN_STATUSES.minusNanos(time.nanos() - last.getAsLong());
    return remaining.isPositive() ? remaining : Duration.ZERO;
  }

  @Override
  public void foreignStatus(String node) {
    statuses.addAfter(node, FOREIGN_LIST_STANDS);
  }

  @Override
  public void trigger(PopulatorTrigger trigger) {
    triggers.add(trigger);
  }

  private Object namespace(PopulatorTrigger trigger) {
    return switch (trigger) {
      case PopulatorTrigger.OfPod(ObjectKey pod) -> pod.namespace();
      case PopulatorTrigger.OfClaim(ObjectKey claim) -> claim.namespace();
      case PopulatorTrigger.OfVolume(ObjectKey volume) -> ofVolume(volume);
      case PopulatorTrigger.OfNode _,
          PopulatorTrigger.OfReport _,
          PopulatorTrigger.OfDriver _,
          PopulatorTrigger.OfPlugins _ ->
          "";
    };
  }

  // Returns the namespace that a volume on a node serves; "" for none.
  public Object namespace(VolumeNode where) {
    return namespace(new VolumeKey(where.volume(), where.node()));
  }

  private Object namespace(VolumeKey key) {
    String used = state.desired().namespace(key.volume());
    return used.isEmpty() ? ofClaim(key) : used;
  }

  private Object ofClaim(VolumeKey key) {
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
        .map(this::ofVolume)
        .orElse("");
  }

  private Object ofVolume(ObjectKey volume) {
    return ServedNamespace.ofVolumes(caches.volumes()).apply(volume);
  }
}
