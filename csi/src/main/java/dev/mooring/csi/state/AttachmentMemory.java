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

/** Attachments of one driver, by publication, and what is remembered of them. Thread-safe. */
public final class AttachmentMemory {
  private static final Index<Attachment, PublicationRecord> BY_RECORD =
      new Index<>(
          "attachments by publication",
          attachment -> PublicationRecord.complete(attachment).stream().toList());

  private final Informer<Attachment> attachments;
  private final Set<ObjectKey> contradicted = ConcurrentHashMap.newKeySet();
  private final Set<PublicationRecord> inFlight = ConcurrentHashMap.newKeySet();

  public AttachmentMemory(SharedInformers informers) {
    this.attachments = informers.of(Kind.ATTACHMENT, BY_RECORD);
  }

  // Returns whether another attachment that stays has the same publication.
  public boolean hasOther(Attachment attachment, PublicationRecord publication) {
    for (Attachment other : attachments.findByIndex(BY_RECORD, publication)) {
      if (other.attacher().equals(attachment.attacher())
          && !other.key().equals(attachment.key())
          && !other.meta().isBeingDeleted()) {
        return true;
      }
    }
    return false;
  }

  // The driver's list differs from the attachment: its next reconcile repeats the call.
  public void contradicted(ObjectKey attachment) {
    contradicted.add(attachment);
  }

  // Returns whether the driver's list differed, and forgets it.
  public boolean takeContradiction(ObjectKey attachment) {
    return contradicted.remove(attachment);
  }

  public void forget(ObjectKey attachment) {
    contradicted.remove(attachment);
  }

  // Starts a call. Returns false if a call for the same publication is running.
  public boolean tryBegin(PublicationRecord publication) {
    return inFlight.add(publication);
  }

  public void end(PublicationRecord publication) {
    inFlight.remove(publication);
  }
}
