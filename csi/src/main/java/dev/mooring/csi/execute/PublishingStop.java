package dev.mooring.csi.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.Reply;
import java.util.OptionalInt;

/** Ends the reconcile of a VolumeAttachment before its goal is reached. */
final class PublishingStop extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;
  private final End end;

  /** The cause, for the attachment's status. */
  record Problem(String message, OptionalInt code) {
    static Problem of(String message) {
      return new Problem(message, OptionalInt.empty());
    }

    static Problem of(Reply.Refused<?> refused) {
      return new Problem(refused.text(), OptionalInt.of(refused.code().number()));
    }
  }

  /** What follows. */
  enum End {
    /** A retry after the back-off; each failure is written to the status. */
    RETRIED,
    /** A retry soon: the API server did not answer. */
    UNANSWERED,
    /** A retry at once without a word in the status: another write or call came first. */
    CONFLICTED,
    /** Nothing, until the attachment or its volume changes. */
    OVER
  }

  PublishingStop(Problem problem) {
    this(problem, End.RETRIED);
  }

  private PublishingStop(Problem problem, End end) {
    super(problem.message(), null, false, false);
    this.problem = problem;
    this.end = end;
  }

  Problem problem() {
    return problem;
  }

  End end() {
    return end;
  }

  static PublishingStop unanswered(String why) {
    return new PublishingStop(Problem.of(why), End.UNANSWERED);
  }

  static PublishingStop conflicted(String why) {
    return new PublishingStop(Problem.of(why), End.CONFLICTED);
  }

  /** The attachment is for another volume than the one of that name. */
  static PublishingStop foreign(String why) {
    return new PublishingStop(Problem.of(why), End.OVER);
  }

  /** A deletion is never taken back. */
  static PublishingStop going(Volume volume) {
    return new PublishingStop(
        Problem.of("PersistentVolume \"" + volume.meta().name() + "\" is marked for deletion"),
        End.OVER);
  }

  static PublishingStop unwritten(String what, WriteResult<?> result) {
    Problem problem = Problem.of(what + ": " + result);
    return switch (result) {
      case WriteResult.Unreachable<?> _ -> new PublishingStop(problem, End.UNANSWERED);
      case WriteResult.Conflict<?> _ -> new PublishingStop(problem, End.CONFLICTED);
      case WriteResult.Written<?> _, WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
          new PublishingStop(problem);
    };
  }
}
