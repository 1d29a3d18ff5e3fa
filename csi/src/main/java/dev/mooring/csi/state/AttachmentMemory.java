package dev.mooring.csi.state;

import dev.mooring.csi.decide.PublicationRecord;
import dev.mooring.informer.Index;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Attachments of one driver, by publication, and the state of their calls. Thread-safe. */
public final class AttachmentMemory {
  private static final Index<Attachment, PublicationRecord> BY_PUBLICATION =
      new Index<>(
          "attachments by publication",
          attachment -> PublicationRecord.readComplete(attachment).stream().toList());

  private final Informer<Attachment> attachments;
  private final Set<ObjectKey> contradictedAttachments = ConcurrentHashMap.newKeySet();
  private final Set<PublicationRecord> runningCalls = ConcurrentHashMap.newKeySet();

  public AttachmentMemory(SharedInformers informers) {
    this.attachments = informers.of(Kind.ATTACHMENT, BY_PUBLICATION);
  }

  // Returns whether another attachment that stays has the same publication.
  public boolean hasOtherAttachment(Attachment attachment, PublicationRecord publication) {
    for (Attachment candidate : attachments.findByIndex(BY_PUBLICATION, publication)) {
      if (candidate.attacher().equals(attachment.attacher())
          && !candidate.key().equals(attachment.key())
          && !candidate.meta().isBeingDeleted()) {
        return true;
      }
    }
    return false;
  }

  // The driver's list differs from the attachment: its next reconcile repeats the call.
  public void recordContradiction(ObjectKey attachment) {
    contradictedAttachments.add(attachment);
  }

  // Returns whether the driver's list differed, and forgets it.
  public boolean takeContradiction(ObjectKey attachment) {
    return contradictedAttachments.remove(attachment);
  }

  public void forget(ObjectKey attachment) {
    contradictedAttachments.remove(attachment);
  }

  // Starts a call. Returns false if a call for the same publication is running.
  public boolean tryStartCall(PublicationRecord publication) {
    return runningCalls.add(publication);
  }

  public void endCall(PublicationRecord publication) {
    runningCalls.remove(publication);
  }
}
