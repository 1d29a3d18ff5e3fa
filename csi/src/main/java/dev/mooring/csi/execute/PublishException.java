package dev.mooring.csi.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.StatusText;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.DriverReply;
import java.util.OptionalInt;

final class PublishException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final RetryMode retryMode;

  // Cause, for the attachment's status.
  record Problem(String message, OptionalInt code) {
    // limit of the API server, which would reject the whole status
    private static final int MAX_MESSAGE_BYTES = 1024;

    Problem {
      message = StatusText.cut(message, MAX_MESSAGE_BYTES);
    }

    static Problem of(String message) {
      return new Problem(message, OptionalInt.empty());
    }

    static Problem of(DriverReply.Refused<?> refusal) {
      return new Problem(refusal.text(), OptionalInt.of(refusal.code().number()));
    }
  }

  enum RetryMode {
    // Retry after the back-off; each failure is written to the status.
    RETRIED,
    // Retry soon: the API server did not answer.
    UNANSWERED,
    // Retry immediately without a status: another write or call came first.
    CONFLICTED,
    // No retry until the attachment or its volume changes.
    NEVER
  }

  PublishException(Problem problem) {
    this(problem, RetryMode.RETRIED);
  }

  private PublishException(Problem problem, RetryMode retryMode) {
    super(problem.message(), null, false, false);
    this.problem = problem;
    this.retryMode = retryMode;
  }

  Problem problem() {
    return problem;
  }

  RetryMode retryMode() {
    return retryMode;
  }

  static PublishException unanswered(String message) {
    return new PublishException(Problem.of(message), RetryMode.UNANSWERED);
  }

  static PublishException conflicted(String message) {
    return new PublishException(Problem.of(message), RetryMode.CONFLICTED);
  }

  // The attachment is for another volume than the one of that name.
  static PublishException otherVolume(String message) {
    return new PublishException(Problem.of(message), RetryMode.NEVER);
  }

  // Deletion is irreversible.
  static PublishException volumeDeleted(Volume volume) {
    return new PublishException(
        Problem.of("PersistentVolume \"" + volume.meta().name() + "\" is marked for deletion"),
        RetryMode.NEVER);
  }

  static PublishException unwritten(String action, WriteResult<?> result) {
    Problem problem = Problem.of(action + ": " + result);
    return switch (result) {
      case WriteResult.Unreachable<?> _ -> new PublishException(problem, RetryMode.UNANSWERED);
      case WriteResult.Conflict<?> _ -> new PublishException(problem, RetryMode.CONFLICTED);
      case WriteResult.Written<?> _, WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
          new PublishException(problem);
    };
  }
}
