package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.informer.Change;
import dev.mooring.model.Attachment;
import dev.mooring.reconcile.Compat;

/** Passes changes of VolumeAttachments on to the operations that wait for them. Thread-safe. */
public record AttachmentChanges(
    VolumeAttachments attachments,
    VolumeResolver resolver,
    AttachDetachOperations operations,
    VerificationScheduler verifications,
    Compat compat) {
  public void attachmentChanged(Change<Attachment> change) {
    VolumeNode waitingAttach = attachments.attachmentChanged(change);
    if (waitingAttach != null) {
      operations.retryAttach(waitingAttach);
    }
    boolean isAttached =
        change instanceof Change.Updated<Attachment>(Attachment old, Attachment current)
            && current.attached()
            && !old.attached();
    boolean isGone = change instanceof Change.Deleted<Attachment>;
    AttachTarget target = isAttached || isGone ? resolver.target(change.object()) : null;
    if (target == null) {
      return;
    }
    VolumeNode volumeNode = new VolumeNode(target.id(), change.object().nodeName());
    if (isAttached) {
      operations.completeLateAttach(volumeNode);
    } else {
      operations.retryDetach(volumeNode);
      if (!compat.isKubernetes()) {
        verifications.verify(volumeNode);
        if (!target.id().isNamedByUs(change.object())) {
          operations.retryAttaches(target.id()); // it may have kept the volume from other nodes
        }
      }
    }
  }
}
