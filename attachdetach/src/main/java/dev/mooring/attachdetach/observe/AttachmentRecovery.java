package dev.mooring.attachdetach.observe;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.ActualStateOfWorld;
import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.DesiredStateOfWorld;
import dev.mooring.attachdetach.state.NodeEntry;
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
    AttachCaches caches, VolumeResolver resolver, ActualStateOfWorld actual, AttachRequeue queues) {
  /**
   * Recovers the attachments of an earlier process. Volumes in a node's status are attached. Other
   * VolumeAttachments may be attached, whatever their status says. So may volumes that a node uses
   * without any attachment, because a client may have deleted it.
   */
  public void recover() {
    for (Node node : caches.nodes().snapshot().objects()) {
      new TreeMap<>(
              node.volumesAttached()) // sorted, so that the order is the same in every process
          .forEach((name, path) -> {
            if (name.equals(VolumeId.PLACEHOLDER)) {
              return;
            }
            VolumeNode volumeNode = new VolumeNode(new VolumeId(name), node.meta().name());
            actual.setAttached(volumeNode.volume(), volumeNode.node(), path, null);
            queues.requeueVolume(volumeNode);
          });
    }
    for (Attachment attachment : caches.attachments().snapshot().objects()) {
      AttachTarget target = resolver.target(attachment);
      recover(attachment, target);
      if (target != null && isOfEarlierNode(attachment)) {
        actual.recordDeletedNode(attachment.nodeName(), List.of(target.id().text()));
      }
    }
    actual.nodes().stream()
        .filter(node -> caches.node(node) == null)
        .forEach(actual::recordUnseenDeletion);
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
    resolver.findAllTargets().stream()
        .filter(AttachTarget::exclusive)
        .forEach(target -> actual.assumeExclusive(target.id()));
  }

  // Takes a volume as mounted if one ready node uses it and no pod there waits for it. If several
  // nodes report it, at most one can have it, and it is unknown which.
  private void recoverInUse() {
    Map<VolumeId, List<String>> nodesByVolume = new LinkedHashMap<>();
    for (Node node : caches.nodes().snapshot().objects()) {
      for (VolumeId id : findUsedWithoutPods(node)) {
        nodesByVolume.computeIfAbsent(id, i -> new ArrayList<>(1)).add(node.meta().name());
      }
    }
    nodesByVolume.forEach((id, nodes) -> {
      if (nodes.size() == 1 && isAttachedNowhere(id)) {
        actual.addOnlyInUse(id, nodes.getFirst());
        queues.requeueVolume(new VolumeNode(id, nodes.getFirst()));
      }
    });
  }

  private boolean isAttachedNowhere(VolumeId id) {
    return actual.entries(id).stream()
        .noneMatch(entry -> entry.attachState() == AttachState.ATTACHED);
  }

  // skips nodes that are not ready, whose reports may be old, and unmanaged nodes, whose use shows
  // in nothing else
  private Set<VolumeId> findUsedWithoutPods(Node node) {
    Set<VolumeId> usedVolumes = new LinkedHashSet<>();
    String name = node.meta().name();
    if (node.isReady() && node.meta().hasAnnotation(DesiredStateOfWorld.MANAGED)) {
      for (String uniqueName : node.volumesInUse()) {
        VolumeId id = new VolumeId(uniqueName);
        if (actual.attachState(id, name) == AttachState.DETACHED
            && resolver.isPluginKnown(id)
            && resolver.isAttachable(id)) {
          usedVolumes.add(id);
        }
      }
    }
    if (!usedVolumes.isEmpty()) {
      for (Pod pod : caches.pods().findByIndex(AttachCaches.PODS_BY_NODE, name)) {
        if (!pod.isTerminated()) {
          resolver.resolve(pod).targets().forEach(target -> usedVolumes.remove(target.id()));
        }
      }
    }
    return usedVolumes;
  }

  /**
   * Recovers attachments with our names that are unknown because they appeared without a watch
   * event. Kubernetes recovers them at the next start.
   */
  public void recoverOwnAttachments() {
    caches.attachments().snapshot().objects().forEach(this::recoverIfOwn);
  }

  // Recovers an attachment that appeared, or that became attached.
  public void attachmentChanged(Change<Attachment> change) {
    switch (change) {
      case Change.Added<Attachment>(Attachment current) -> recoverIfOwn(current);
      // when it appeared, the actual state may have known more of the node than it does now
      case Change.Updated<Attachment>(Attachment old, Attachment current)
          when current.attached() && !old.attached() ->
          recoverIfOwn(current);
      case Change.Updated<Attachment> _, Change.Deleted<Attachment> _ -> {}
    }
  }

  /**
   * Recovers a new attachment with our name. A request of an earlier process may have created it
   * late.
   */
  public void recoverIfOwn(Attachment attachment) {
    AttachTarget target = resolver.target(attachment);
    // cheap check first: almost all attachments are known
    if (target != null && isUnknown(attachment, target) && target.id().isNamedByUs(attachment)) {
      recover(attachment, target);
    }
  }

  // the attachment confirms a volume that so far only the node's report shows
  private boolean isUnknown(Attachment attachment, AttachTarget target) {
    NodeEntry entry = actual.entry(target.id(), attachment.nodeName());
    return entry == null || entry.onlyInUse();
  }

  private void recover(Attachment attachment, @Nullable AttachTarget target) {
    if (target != null && resolver.isAttachable(target.id()) && isUnknown(attachment, target)) {
      actual.addFromAttachment(target.id(), attachment.nodeName(), target);
      queues.requeueVolume(new VolumeNode(target.id(), attachment.nodeName()));
    }
  }
}
