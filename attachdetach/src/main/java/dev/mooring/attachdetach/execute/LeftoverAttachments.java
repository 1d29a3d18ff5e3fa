package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.LeftoverCheck;
import dev.mooring.attachdetach.decide.LeftoverCheck.LeftoverVerdict;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;

/**
 * Deletes VolumeAttachments of volumes that are gone with which nobody has begun ({@link
 * LeftoverCheck}). Thread-safe; blocks.
 */
public record LeftoverAttachments(
    Informer<Attachment> attachments,
    Informer<Volume> volumes,
    ClusterWriter writer,
    LiveReader reader,
    PodReporter reporter) {
  /** Looks at all; what could not be asked or deleted is looked at again the next time. */
  public void sweep() throws InterruptedException {
    for (Attachment attachment : attachments.snapshot().all()) {
      if (LeftoverCheck.isSuspect(attachment) && !isKnown(attachment.volumeName())) {
        look(attachment);
      }
    }
  }

  private boolean isKnown(String volume) {
    return volumes.get(ObjectKey.cluster(volume)).isPresent();
  }

  private void look(Attachment attachment) throws InterruptedException {
    switch (LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> LeftoverCheck.decide(attachment, live))) {
      case LeftoverVerdict.Leftover(Attachment now) -> delete(now);
      case LeftoverVerdict.Spared(String why) -> reporter.spared(attachment, why);
      case LeftoverVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    }
  }

  private void delete(Attachment attachment) throws InterruptedException {
    WriteResult<Attachment> result =
        // of that version: a volume of its name may come back, and use it, before this arrives
        writer.delete(
            Kind.ATTACHMENT,
            attachment.key(),
            attachment.meta().uid(),
            attachment.meta().resourceVersion());
    switch (result) {
      case WriteResult.Written<Attachment> _, WriteResult.Gone<Attachment> _ ->
          reporter.swept(attachment);
      case WriteResult.Conflict<Attachment>(String why) -> reporter.spared(attachment, why);
      case WriteResult.Rejected<Attachment>(int code, String why) ->
          reporter.notSwept(attachment, "refused (" + code + "): " + why);
      case WriteResult.Unreachable<Attachment>(String why) -> reporter.notSwept(attachment, why);
    }
  }
}
