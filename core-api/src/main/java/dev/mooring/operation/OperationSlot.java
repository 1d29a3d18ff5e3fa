package dev.mooring.operation;

import dev.mooring.reconcile.Outcome;
import dev.mooring.time.DoublingDelay;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** State of a key's running or last job. Not thread-safe. */
final class OperationSlot {
  static final DoublingDelay BACKOFF =
      new DoublingDelay(Duration.ofMillis(500), KeyedOperations.LONGEST_BACKOFF);

  boolean isBusy; // runs or waits for the scheduler
  @Nullable Thread thread; // null while the job waits for the scheduler
  boolean isForgotten; // the running job's result is ignored
  boolean isBackoffOver; // the cause of a failure has gone while the job ran
  int failures;
  long notBefore;
  @Nullable Object basis;
  boolean hasNewerRequest; // a job with another basis was requested meanwhile
  @Nullable Object rejectedBasis; // basis of the rejected job

  boolean endBackoff(long now) {
    if (isBusy || !isBackoffOver) {
      return false;
    }
    isBackoffOver = false;
    notBefore = now;
    return failures > 0;
  }

  Duration backoff() {
    return BACKOFF.delayAfter(failures);
  }

  /**
   * Counts a failure of the API server. The count stops where its back-off reaches the cap of such
   * failures.
   *
   * @return back-off
   */
  Duration countUnanswered() {
    Duration longest = Outcome.UNANSWERED_LONGEST;
    if (failures == 0 || backoff().compareTo(longest) < 0) {
      failures++;
    }
    return backoff().compareTo(longest) < 0 ? backoff() : longest;
  }

  void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
