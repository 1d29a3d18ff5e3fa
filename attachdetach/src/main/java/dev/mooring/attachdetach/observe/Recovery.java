package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.decide.WorldUpdate;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes over what is attached although nobody here has attached it. Thread-safe.
 *
 * @param wake is called with every volume that was taken over
 */
public record Recovery(
    Sources sources, Resolver resolver, ActualStateUpdater actual, Consumer<VolumeNode> wake) {
  /**
   * Where it is looked for.
   *
   * @param nodes nodes, whose statuses list volumes
   * @param attachments VolumeAttachments
   * @param volumes the volumes that they name
   * @param pods pods, indexed by node
   */
  public record Sources(
      Informer<Node> nodes,
      Informer<Attachment> attachments,
      Informer<Volume> volumes,
      Informer<Pod> pods) {}

  /**
   * What an earlier run has left: what nodes' statuses list is attached; attachments that they do
   * not list may be, whatever they say themselves (spec/attachdetach.md 6). So may be what nodes
   * use though nothing tells of an attachment: somebody has removed it under them.
   */
  public void recover() {
    for (Node node : sources.nodes().snapshot().all()) {
      new TreeMap<>(node.volumesAttached()) // in an order that does not depend on the process
          .forEach((name, path) -> {
            if (name.equals(VolumeId.NONE)) {
              return;
            }
            VolumeNode found = new VolumeNode(new VolumeId(name), node.meta().name());
            actual.update(new WorldUpdate.Attached(found.volume(), found.node(), path, null));
            wake.accept(found);
          });
    }
    for (Attachment attachment : sources.attachments().snapshot().all()) {
      AttachTarget target = targetOf(attachment);
      recover(attachment, target);
      if (target != null && isOfEarlierNode(attachment)) {
        actual.update(new WorldUpdate.NodeGone(attachment.nodeName(), List.of(target.id().text())));
      }
    }
    recoverInUse();
    recoverExclusivity();
  }

  /**
   * Whether the Node was made again after the attachment and is not ready: its kubelet may have yet
   * to report that it uses the volume, and the earlier Node's report is lost.
   */
  private boolean isOfEarlierNode(Attachment attachment) {
    return sources
        .nodes()
        .get(ObjectKey.cluster(attachment.nodeName()))
        .filter(node -> !node.isReady() && attachment.meta().created() < node.meta().created())
        .isPresent();
  }

  /**
   * A node's status names a volume and not its access modes. Until pods say how they use it, it
   * counts as exclusive if one of its PersistentVolumes is.
   */
  private void recoverExclusivity() {
    if (actual.nodes().isEmpty()) {
      return;
    }
    for (Volume volume : sources.volumes().snapshot().all()) {
      AttachTarget target = resolver.target(volume);
      if (target != null && target.exclusive()) {
        actual.update(new WorldUpdate.AssumedExclusive(target.id()));
      }
    }
  }

  /**
   * What a node says that it uses, and no pod there waits for, it has mounted; unless others say
   * the same: one of them can have it, and nobody can know which.
   */
  private void recoverInUse() {
    Map<VolumeId, List<String>> users = new LinkedHashMap<>();
    for (Node node : sources.nodes().snapshot().all()) {
      for (VolumeId id : usedWithoutPods(node)) {
        users.computeIfAbsent(id, i -> new ArrayList<>(1)).add(node.meta().name());
      }
    }
    users.forEach((id, nodes) -> {
      if (nodes.size() == 1 && isAttachedNowhere(id)) {
        actual.update(new WorldUpdate.OnlyInUse(id, nodes.getFirst()));
        wake.accept(new VolumeNode(id, nodes.getFirst()));
      }
    });
  }

  private boolean isAttachedNowhere(VolumeId id) {
    return actual.places(id).stream().noneMatch(place -> place.held() == Held.YES);
  }

  /**
   * Of a node that is not well it may be long ago that it said so; and of one that attaches its
   * volumes itself nothing else would tell.
   */
  private Set<VolumeId> usedWithoutPods(Node node) {
    Set<VolumeId> used = new LinkedHashSet<>();
    String name = node.meta().name();
    if (node.isReady() && node.meta().has(Populator.MANAGED)) {
      for (String unique : node.volumesInUse()) {
        VolumeId id = new VolumeId(unique);
        if (actual.held(id, name) == Held.NO && resolver.isKnown(id) && resolver.isAttachable(id)) {
          used.add(id);
        }
      }
    }
    if (!used.isEmpty()) {
      for (Pod pod : sources.pods().by(Populator.PODS_BY_NODE, name)) {
        if (!pod.isTerminated()) {
          resolver.resolve(pod).targets().forEach(target -> used.remove(target.id()));
        }
      }
    }
    return used;
  }

  /**
   * Attachments by which we would have attached their volume, and of which nothing is known: they
   * came while nobody looked. In Kubernetes they stay until the next start.
   */
  public void recoverOurs() {
    sources.attachments().snapshot().all().forEach(this::recoverIfOurs);
  }

  /**
   * The same, of one that has just come: of another process of ours, whose request was still under
   * way when this one took over.
   */
  public void recoverIfOurs(Attachment attachment) {
    AttachTarget target = targetOf(attachment);
    // almost all are known, and to tell whose an attachment is takes longer
    if (target != null && isUnknown(attachment, target) && isOurs(attachment, target.id())) {
      recover(attachment, target);
    }
  }

  private boolean isUnknown(Attachment attachment, AttachTarget target) {
    return actual.held(target.id(), attachment.nodeName()) == Held.NO;
  }

  /**
   * Whether it is called as this controller, and Kubernetes', calls an attachment of that volume.
   */
  public static boolean isOurs(Attachment attachment, VolumeId volume) {
    return volume
        .csi()
        .filter(csi ->
            csi.driver().equals(attachment.attacher())
                && csi.attachment(attachment.nodeName()).equals(attachment.key()))
        .isPresent();
  }

  private void recover(Attachment attachment, @Nullable AttachTarget target) {
    if (target != null && resolver.isAttachable(target.id()) && isUnknown(attachment, target)) {
      actual.update(new WorldUpdate.Found(target.id(), attachment.nodeName(), target));
      wake.accept(new VolumeNode(target.id(), attachment.nodeName()));
    }
  }

  /** The volume that an attachment attaches; null if it is not known. */
  public @Nullable AttachTarget targetOf(Attachment attachment) {
    return sources
        .volumes()
        .get(ObjectKey.cluster(attachment.volumeName()))
        .map(resolver::target)
        .orElse(null);
  }
}
