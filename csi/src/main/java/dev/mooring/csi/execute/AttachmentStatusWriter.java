package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.execute.PublishException.Problem;
import dev.mooring.model.Attachment;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;

/** Writes attach and detach errors to the status of a VolumeAttachment. Thread-safe. */
record AttachmentStatusWriter(ClusterWriter writer, Time time) {
  // Member of the status that holds the error.
  enum ErrorField {
    ATTACH("attachError", Attachment::attachError),
    DETACH("detachError", Attachment::detachError);

    private final String member;
    private final Function<Attachment, String> error;

    ErrorField(String member, Function<Attachment, String> error) {
      this.member = member;
      this.error = error;
    }
  }

  Outcome reportFailure(Attachment attachment, ErrorField field, PublishException failure)
      throws InterruptedException {
    String message = failure.problem().message();
    String description = "VolumeAttachment " + attachment.key().name() + ": " + message;
    boolean isWritten = field.error.apply(attachment).equals(message);
    return switch (failure.retryMode()) {
      case RETRIED -> {
        writeError(attachment, field.member, failure.problem());
        yield new Outcome.Retry(new Failure.Unreachable(message));
      }
      case CONFLICTED -> new Outcome.Conflicted(description);
      case UNANSWERED -> {
        if (!isWritten) {
          writeError(attachment, field.member, failure.problem());
        }
        yield new Outcome.Unanswered(description);
      }
      // a new PersistentVolume of that name requeues the attachment
      case NEVER ->
          isWritten
              ? Outcome.SETTLED
              : toOutcome(attachment, writeError(attachment, field.member, failure.problem()));
    };
  }

  // Kubernetes' attach/detach controller reads the error from the status.
  private WriteResult<Attachment> writeError(Attachment attachment, String member, Problem problem)
      throws InterruptedException {
    Document patch =
        Document.empty()
            .set(attachment.meta().uid().toString(), "metadata", "uid")
            .set(problem.message(), "status", member, "message")
            .set(time.now().truncatedTo(ChronoUnit.SECONDS).toString(), "status", member, "time");
    // an earlier error may have left its code
    problem
        .code()
        .ifPresentOrElse(
            code -> patch.set(code, "status", member, "errorCode"),
            () -> patch.set(null, "status", member, "errorCode"));
    return writer.patchStatus(Kind.ATTACHMENT, attachment.key(), patch);
  }

  static Outcome toOutcome(Attachment attachment, WriteResult<Attachment> result) {
    return Outcome.ofWrite("writing VolumeAttachment " + attachment.key().name(), result);
  }
}
