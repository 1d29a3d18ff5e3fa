package dev.mooring.operation;

import dev.mooring.reconcile.Outcome;
import dev.mooring.time.DoublingDelay;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** State of a key's running or last job. Not thread-safe. */
final class OperationSlot {
  static final DoublingDelay BACKOFF =
      new DoublingDelay(Duration.ofMillis(500), KeyedOperations.LONGEST_PAUSE);

  boolean busy; // runs or waits for its turn
  @Nullable Thread thread; // null while the job waits for its turn
  boolean forgotten; // the running job's result is ignored
  boolean pauseIsOver; // the cause of a failure has gone while the job ran
  int failures;
  long notBefore;
  @Nullable Object basis;
  boolean overtaken; // a job with another basis was requested meanwhile
  @Nullable Object refused; // basis of the rejected job

  boolean endPause(long now) {
    if (busy || !pauseIsOver) {
      return false;
    }
    pauseIsOver = false;
    notBefore = now;
    return failures > 0;
  }

  Duration delay() {
    return BACKOFF.after(failures);
  }

  /**
   * Counts a failure of the API server. The count stops where its back-off reaches the cap of such
   * failures.
   *
   * @return back-off
   */
  Duration unanswered() {
    Duration longest = Outcome.UNANSWERED_LONGEST;
    if (failures == 0 || delay().compareTo(longest) < 0) {
      failures++;
    }
    return delay().compareTo(longest) < 0 ? delay() : longest;
  }

  void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
