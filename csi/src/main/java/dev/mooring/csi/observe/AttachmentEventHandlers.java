package dev.mooring.csi.observe;

import dev.mooring.csi.decide.AttachmentScope;
import dev.mooring.csi.state.AttachmentMemory;
import dev.mooring.informer.Change;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.storage.AttachmentIndex;
import dev.mooring.workqueue.WorkQueue;

/** Requeues attachments, and deleted volumes that wait for the end of their attachments. */
public final class AttachmentEventHandlers {
  private final AttachmentScope scope;
  private final AttachmentMemory memory;
  private final Informer<Attachment> attachments;
  private final Informer<Volume> volumes;
  private final WorkQueue<ObjectKey> attachmentQueue;
  private final WorkQueue<ObjectKey> volumeQueue;

  public AttachmentEventHandlers(
      AttachmentScope scope,
      AttachmentMemory memory,
      SharedInformers informers,
      WorkQueue<ObjectKey> attachmentQueue,
      WorkQueue<ObjectKey> volumeQueue) {
    this.scope = scope;
    this.memory = memory;
    this.attachments = informers.of(Kind.ATTACHMENT, AttachmentIndex.BY_VOLUME);
    this.volumes = informers.of(Kind.VOLUME);
    this.attachmentQueue = attachmentQueue;
    this.volumeQueue = volumeQueue;
  }

  public ControllerSpec.Builder declare(ControllerSpec.Builder spec) {
    return spec.reads(volumes, attachments)
        .addHandler(attachments, this::attachmentChanged)
        .addHandler(volumes, this::volumeChanged);
  }

  // Requeues all attachments of a driver that becomes ready.
  public void driverIsReady() {
    for (Attachment attachment : attachments.snapshot().objects()) {
      requeue(attachment);
    }
  }

  private void requeue(Attachment attachment) {
    if (scope.contains(attachment)) {
      attachmentQueue.add(attachment.key());
    }
  }

  private void attachmentChanged(Change<Attachment> change) {
    switch (change) {
      case Change.Added<Attachment>(Attachment current) -> requeue(current);
      case Change.Updated<Attachment>(Attachment old, Attachment current) -> {
        if (old.isReplacedBy(current)) {
          attachmentGone(old);
        }
        if (scope.contains(current) && differsOnlyByOwnError(old, current)) {
          // a write that was given up may have succeeded late
          attachmentQueue.addIfNotBackingOff(current.key());
        } else {
          requeue(current);
        }
      }
      case Change.Deleted<Attachment>(Attachment last, _) -> attachmentGone(last);
    }
  }

  private void attachmentGone(Attachment last) {
    memory.forget(last.key());
    volumeQueue.add(ObjectKey.cluster(last.volumeName()));
  }

  // Our own error in the status must not end the back-off that it started. This controller removes
  // an error only together with another change.
  private static boolean differsOnlyByOwnError(Attachment old, Attachment current) {
    boolean isErrorRemoved = !old.attachError().isEmpty() && current.attachError().isEmpty();
    return !isErrorRemoved && withoutErrors(old).equals(withoutErrors(current));
  }

  private static Attachment withoutErrors(Attachment attachment) {
    return new Attachment(
        attachment.meta().withoutVersion(),
        attachment.attacher(),
        attachment.volumeName(),
        attachment.inline(),
        attachment.nodeName(),
        attachment.attached(),
        "",
        "");
  }

  private void volumeChanged(Change<Volume> change) {
    switch (change) {
      case Change.Added<Volume>(Volume current) -> {
        enqueueIfDeleted(current);
        requeueAttachments(current);
      }
      case Change.Updated<Volume>(Volume old, Volume current) -> {
        enqueueIfDeleted(current);
        // a server that was restored from a backup may revert a deletion
        if (old.isReplacedBy(current)
            || old.meta().isBeingDeleted() && !current.meta().isBeingDeleted()) {
          requeueAttachments(current);
        }
      }
      case Change.Deleted<Volume> _ -> {}
    }
  }

  private void enqueueIfDeleted(Volume volume) {
    if (scope.isReleasable(volume)) {
      volumeQueue.add(volume.key());
    }
  }

  // An error for a missing or earlier volume of that name is obsolete.
  private void requeueAttachments(Volume volume) {
    for (Attachment attachment :
        attachments.findByIndex(AttachmentIndex.BY_VOLUME, volume.meta().name())) {
      if (!attachment.attached()) {
        requeue(attachment);
      }
    }
  }
}
