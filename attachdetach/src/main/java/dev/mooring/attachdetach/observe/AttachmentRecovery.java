package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.informer.Change;
import dev.mooring.model.Attachment;
import dev.mooring.model.Node;
import dev.mooring.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Recovers attachments that this process did not make. Thread-safe. */
public record AttachmentRecovery(
    AttachCaches caches,
    VolumeResolver resolver,
    ActualStateOfWorld actual,
    AttachRequeue requeue) {
  /**
   * Recovers the attachments of an earlier process. Volumes in a node's status are attached. Other
   * VolumeAttachments may be attached, whatever their status says (spec/attachdetach.md 6). So may
   * volumes that a node uses without any attachment, because a client may have deleted it.
   */
  public void recover() {
    for (Node node : caches.nodes().snapshot().all()) {
      new TreeMap<>(
              node.volumesAttached()) // sorted, so that the order is the same in every process
          .forEach((name, path) -> {
            if (name.equals(VolumeId.NONE)) {
              return;
            }
            VolumeNode found = new VolumeNode(new VolumeId(name), node.meta().name());
            actual.setAttached(found.volume(), found.node(), path, null);
            requeue.volume(found);
          });
    }
    for (Attachment attachment : caches.attachments().snapshot().all()) {
      AttachTarget target = resolver.target(attachment);
      recover(attachment, target);
      if (target != null && isOfEarlierNode(attachment)) {
        actual.nodeDeleted(attachment.nodeName(), List.of(target.id().text()));
      }
    }
    actual.nodes().stream()
        .filter(node -> caches.node(node) == null)
        .forEach(actual::nodeWasDeleted);
    recoverInUse();
    recoverExclusivity();
  }

  /**
   * Returns whether the Node is newer than the attachment and not ready. Its kubelet may not have
   * reported the volume in use yet, and the earlier Node's report is lost.
   */
  private boolean isOfEarlierNode(Attachment attachment) {
    Node node = caches.node(attachment.nodeName());
    return node != null && !node.isReady() && attachment.meta().created() < node.meta().created();
  }

  // Assumes volumes in node statuses to be exclusive if one of their PersistentVolumes is, until
  // pods show how they use them. A node's status contains no access modes.
  private void recoverExclusivity() {
    if (actual.nodes().isEmpty()) {
      return;
    }
    resolver.all().stream()
        .filter(AttachTarget::exclusive)
        .forEach(target -> actual.assumeExclusive(target.id()));
  }

  // Takes a volume as mounted if one ready node uses it and no pod there waits for it. If several
  // nodes report it, at most one can have it, and it is unknown which.
  private void recoverInUse() {
    Map<VolumeId, List<String>> users = new LinkedHashMap<>();
    for (Node node : caches.nodes().snapshot().all()) {
      for (VolumeId id : usedWithoutPods(node)) {
        users.computeIfAbsent(id, i -> new ArrayList<>(1)).add(node.meta().name());
      }
    }
    users.forEach((id, nodes) -> {
      if (nodes.size() == 1 && isAttachedNowhere(id)) {
        actual.addOnlyInUse(id, nodes.getFirst());
        requeue.volume(new VolumeNode(id, nodes.getFirst()));
      }
    });
  }

  private boolean isAttachedNowhere(VolumeId id) {
    return actual.entries(id).stream().noneMatch(entry -> entry.held() == Held.YES);
  }

  // skips nodes that are not ready, whose reports may be old, and unmanaged nodes, whose use shows
  // in nothing else
  private Set<VolumeId> usedWithoutPods(Node node) {
    Set<VolumeId> used = new LinkedHashSet<>();
    String name = node.meta().name();
    if (node.isReady() && node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED)) {
      for (String unique : node.volumesInUse()) {
        VolumeId id = new VolumeId(unique);
        if (actual.held(id, name) == Held.NO && resolver.isKnown(id) && resolver.isAttachable(id)) {
          used.add(id);
        }
      }
    }
    if (!used.isEmpty()) {
      for (Pod pod : caches.pods().findByIndex(AttachCaches.PODS_BY_NODE, name)) {
        if (!pod.isTerminated()) {
          resolver.resolve(pod).targets().forEach(target -> used.remove(target.id()));
        }
      }
    }
    return used;
  }

  /**
   * Recovers attachments with our names that are unknown because they appeared without a watch
   * event. Kubernetes recovers them at the next start.
   */
  public void recoverOurs() {
    caches.attachments().snapshot().all().forEach(this::recoverIfOurs);
  }

  // Recovers an attachment that appeared, or that became attached.
  public void attachmentChanged(Change<Attachment> change) {
    switch (change) {
      case Change.Added<Attachment>(Attachment now) -> recoverIfOurs(now);
      // when it appeared, the actual state may have known more of the node than it does now
      case Change.Updated<Attachment>(Attachment before, Attachment now)
          when now.attached() && !before.attached() ->
          recoverIfOurs(now);
      case Change.Updated<Attachment> _, Change.Deleted<Attachment> _ -> {}
    }
  }

  /**
   * Recovers a new attachment with our name. A request of an earlier process may have created it
   * late.
   */
  public void recoverIfOurs(Attachment attachment) {
    AttachTarget target = resolver.target(attachment);
    // cheap check first: almost all attachments are known
    if (target != null && isUnknown(attachment, target) && target.id().isNamedByUs(attachment)) {
      recover(attachment, target);
    }
  }

  private boolean isUnknown(Attachment attachment, AttachTarget target) {
    return actual.held(target.id(), attachment.nodeName()) == Held.NO;
  }

  private void recover(Attachment attachment, @Nullable AttachTarget target) {
    if (target != null && resolver.isAttachable(target.id()) && isUnknown(attachment, target)) {
      actual.addFound(target.id(), attachment.nodeName(), target);
      requeue.volume(new VolumeNode(target.id(), attachment.nodeName()));
    }
  }
}
