package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.informer.Informer;
import dev.mooring.model.Attachment;
import dev.mooring.reconcile.Compat;
import java.util.Optional;

// Finds VolumeAttachments that other clients created under names of their own. The controller does
// not delete them. Thread-safe.
public record ForeignAttachments(
    Informer<Attachment> attachments, VolumeResolver resolver, Compat compat) {
  Optional<String> findObjection(AttachTarget target, String node) {
    Optional<VolumeId.Csi> csi = target.id().csi();
    if (compat.isKubernetes() || !target.exclusive() || csi.isEmpty()) {
      return Optional.empty();
    }
    for (Attachment attachment :
        attachments.findByIndex(AttachCaches.FOREIGN_ATTACHMENTS, csi.get().driver())) {
      if (attachment.attached()
          && !attachment.nodeName().equals(node)
          && isOf(target.id(), attachment)) {
        return Optional.of(
            "VolumeAttachment "
                + attachment.key().name()
                + " of another client attaches it to node "
                + attachment.nodeName()
                + "; delete it if its creator does not need it");
      }
    }
    return Optional.empty();
  }

  private boolean isOf(VolumeId id, Attachment attachment) {
    AttachTarget target = resolver.target(attachment);
    return target != null && target.id().equals(id);
  }
}
