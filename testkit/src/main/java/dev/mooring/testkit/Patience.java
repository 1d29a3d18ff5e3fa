package dev.mooring.testkit;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Waits in tests for what has to come. How long that may take is said here and nowhere else: longer
 * than the slowest machine needs, as it says nothing about speed. What must not come later than
 * something is tested on simulated time, or measured by a benchmark.
 */
public final class Patience {
  /** How long anything may take; {@code -Dmooring.patience} seconds. */
  public static final Duration LONGEST = Duration.ofSeconds(Long.getLong("mooring.patience", 180));

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private Patience() {}

  /**
   * Waits on the caller's thread until that is so.
   *
   * @param what for the message of the failure
   * @throws AssertionError if it does not come, or the thread is interrupted meanwhile
   */
  public static void until(String what, Callable<Boolean> condition) {
    until(() -> what, condition);
  }

  /**
   * The same.
   *
   * @param what asked when it is over: what there is instead helps whoever reads the failure
   */
  public static void until(Supplier<String> what, Callable<Boolean> condition) {
    try {
      await()
          .pollInSameThread()
          .pollDelay(Duration.ZERO)
          .pollInterval(BETWEEN_LOOKS)
          .atMost(LONGEST)
          .until(() -> {
            if (Thread.currentThread().isInterrupted()) { // which nobody else heeds here
              throw new AssertionError("interrupted while waiting: " + what.get());
            }
            return condition.call();
          });
    } catch (ConditionTimeoutException over) {
      throw new AssertionError("not within " + LONGEST.toSeconds() + " s: " + what.get(), over);
    }
  }
}
