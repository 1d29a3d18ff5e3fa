package dev.mooring.operation;

import dev.mooring.reconcile.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is known of a key's job, the one that runs or the last one. Not thread-safe. */
final class OperationSlot {
  private static final Duration FIRST = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = KeyedOperations.LONGEST_PAUSE;

  boolean busy; // a job of it runs, or waits for its turn
  @Nullable Thread thread; // of a job that runs
  boolean forgotten; // what runs does not count for the key any more
  boolean pauseIsOver; // what it may fail for is over by now
  int failures;
  long notBefore;
  @Nullable Object basis; // of the job that runs
  boolean overtaken; // by now a job with another basis is wanted
  @Nullable Object refused; // what was refused rested on that

  /**
   * What it failed for is over, if somebody has said so: unless it runs still, it rests no more.
   *
   * @return whether that is so
   */
  boolean endPause(long now) {
    if (busy || !pauseIsOver) {
      return false;
    }
    pauseIsOver = false;
    notBefore = now;
    return failures > 0;
  }

  /** For how long it rests after so many failures. */
  Duration delay() {
    return delay(failures);
  }

  static Duration delay(int failures) {
    if (failures > 8) {
      return LONGEST_PAUSE;
    }
    Duration doubled = FIRST.multipliedBy(1L << (failures - 1));
    return doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
  }

  /**
   * Counts a failure that is not the key's: no more than make it rest as long as it may then.
   *
   * @return for how long it rests
   */
  Duration unanswered() {
    Duration longest = Outcome.UNANSWERED_LONGEST;
    if (failures == 0 || delay().compareTo(longest) < 0) {
      failures++;
    }
    return delay().compareTo(longest) < 0 ? delay() : longest;
  }

  /** Whatever runs is to end. */
  void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
