package dev.mooring.csi.state;

import dev.mooring.informer.IndexSet;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.storage.AttachmentIndex;

/** Pods that use a claim, and attachments of its volume, as cached. Thread-safe. */
public record VolumeUsers(Informer<Pod> pods, Informer<Attachment> attachments) {
  public VolumeUsers(SharedInformers informers) {
    this(
        informers.of(Kind.POD, IndexSet.PODS_BY_CLAIM),
        informers.of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME));
  }

  public boolean isInUse(ObjectKey claim) {
    for (Pod pod : pods.findByIndex(IndexSet.PODS_BY_CLAIM, claim)) {
      if (!pod.isFinished()) {
        return true;
      }
    }
    return false;
  }

  // The driver was never called for an attachment without a finalizer.
  public boolean mayBePublished(String volume) {
    for (Attachment attachment : attachments.findByIndex(AttachmentIndex.BY_VOLUME, volume)) {
      if (attachment.attached() || !attachment.meta().finalizers().isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
