package dev.mooring.operation;

import dev.mooring.cluster.WriteResult;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;

/**
 * Result of a job. {@link KeyedOperations} alone translates it; the end of a job does not by itself
 * requeue its key.
 */
public sealed interface JobResult {
  /**
   * The job succeeded, and its effect returns as a watch event that requeues the key. Resets the
   * back-off.
   */
  record Done() implements JobResult {}

  /**
   * The job succeeded, but no watch event follows. The key is requeued at once; its reconcile must
   * not start the same job again. Resets the back-off.
   */
  record Noted() implements JobResult {}

  record Failed(Failure failure) implements JobResult {}

  /**
   * The job failed because the API server did not answer a read or did not accept a write. Retried
   * soon, however often that has happened: within {@link Outcome#UNANSWERED_LONGEST} of the
   * server's recovery.
   *
   * @param message human-readable text
   */
  record Unanswered(String message) implements JobResult {}

  JobResult DONE = new Done();

  JobResult REQUEUE = new Noted();

  /** Creates a retryable failure: a precondition is missing, although the server answered. */
  static JobResult unreachable(String message) {
    return new Failed(new Failure.Unreachable(message));
  }

  static JobResult notWritten(String action, WriteResult<?> result) {
    String message = action + ": " + result;
    return switch (result) {
      case WriteResult.Unreachable<?> _, WriteResult.Conflict<?> _ -> new Unanswered(message);
      case WriteResult.Written<?> _, WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
          unreachable(message);
    };
  }
}
