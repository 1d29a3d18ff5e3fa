package dev.mooring.testkit;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.pollinterval.PollInterval;

/**
 * Waits in tests for conditions. Defines the only timeout of tests: longer than the slowest machine
 * needs, because it does not measure speed. Test deadlines on simulated time, or with a benchmark.
 */
public final class TestWait {
  /** Timeout of every wait; {@code -Dmooring.patience} in seconds. */
  public static final Duration LONGEST = Duration.ofSeconds(Long.getLong("mooring.patience", 180));

  private static final PollInterval BETWEEN_LOOKS =
      (looks, _) -> Duration.ofMillis(Math.min(looks, 10)); // most conditions hold at once

  private TestWait() {}

  /**
   * Waits on the caller's thread until the condition holds.
   *
   * @param what subject of the failure message
   * @throws AssertionError on timeout or interrupt
   */
  public static void until(String what, Callable<Boolean> condition) {
    until(() -> what, condition);
  }

  public static void until(Supplier<String> what, Callable<Boolean> condition) {
    until(LONGEST, what, condition);
  }

  public static void until(Duration longest, Supplier<String> what, Callable<Boolean> condition) {
    try {
      look(longest, what, condition);
    } catch (ConditionTimeoutException over) {
      throw new AssertionError("not within " + longest.toSeconds() + " s: " + what.get(), over);
    }
  }

  /**
   * Polls until the value matches or the timeout expires. Use it where a later comparison reports
   * the difference.
   *
   * @return the last value
   */
  public static <T> T lastOf(Duration longest, Callable<T> look, Predicate<? super T> wished)
      throws Exception {
    AtomicReference<T> seen = new AtomicReference<>(look.call());
    try {
      look(
          longest,
          () -> "last seen: " + seen,
          () -> {
            if (!wished.test(seen.get())) {
              seen.set(look.call());
            }
            return wished.test(seen.get());
          });
    } catch (ConditionTimeoutException over) {
      return seen.get();
    }
    return seen.get();
  }

  private static void look(Duration longest, Supplier<String> what, Callable<Boolean> condition) {
    await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(BETWEEN_LOOKS)
        .atMost(longest)
        .until(() -> {
          if (Thread.currentThread().isInterrupted()) { // the condition may ignore the interrupt
            throw new AssertionError("interrupted while waiting: " + what.get());
          }
          return condition.call();
        });
  }
}
