package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.LeftoverCheck;
import dev.mooring.attachdetach.decide.LeftoverCheck.LeftoverVerdict;
import dev.mooring.attachdetach.state.AttachCaches;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.WriteResult;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;

/**
 * Deletes VolumeAttachments of deleted volumes that no attacher has started with ({@link
 * LeftoverCheck}). Thread-safe; blocks.
 */
public record LeftoverAttachments(
    AttachCaches caches, ClusterWriter writer, LiveReader reader, PodReporter reporter) {
  /**
   * Checks all attachments. Unanswered questions and failed deletions are retried at the next call.
   */
  public void deleteLeftovers() throws InterruptedException {
    for (Attachment attachment : caches.attachments().snapshot().objects()) {
      if (LeftoverCheck.isSuspect(attachment) && caches.volume(attachment.volumeName()) == null) {
        check(attachment);
      }
    }
  }

  private void check(Attachment attachment) throws InterruptedException {
    switch (LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> LeftoverCheck.decide(attachment, live))) {
      case LeftoverVerdict.Leftover(Attachment current) -> delete(current);
      case LeftoverVerdict.Keep(String reason) -> reporter.reportLeftoverKept(attachment, reason);
    }
  }

  private void delete(Attachment attachment) throws InterruptedException {
    WriteResult<Attachment> result =
        // only this version: a volume of that name may be created again, and use it, before the
        // request arrives
        writer.delete(
            Kind.ATTACHMENT,
            attachment.key(),
            attachment.meta().uid(),
            attachment.meta().resourceVersion());
    switch (result) {
      case WriteResult.Written<Attachment> _, WriteResult.Gone<Attachment> _ ->
          reporter.reportLeftoverDeleted(attachment);
      case WriteResult.Conflict<Attachment>(String message) ->
          reporter.reportLeftoverKept(attachment, message);
      case WriteResult.Rejected<Attachment>(int code, String message) ->
          reporter.reportLeftoverDeletionFailure(attachment, "refused (" + code + "): " + message);
      case WriteResult.Unreachable<Attachment>(String message) ->
          reporter.reportLeftoverDeletionFailure(attachment, message);
    }
  }
}
