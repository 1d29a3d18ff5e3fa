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

  // a poll may be a request, whose cost delays other tests
  private static final int MAX_INTERVAL_MILLIS = 40;

  private static final PollInterval POLL_INTERVAL =
      (polls, _) -> Duration.ofMillis(Math.min(polls, MAX_INTERVAL_MILLIS)); // most hold at once

  private static final PollInterval STEP_INTERVAL = (_, _) -> Duration.ofMillis(1);

  private TestWait() {}

  /**
   * Waits on the caller's thread until the condition holds.
   *
   * @param description subject of the failure message
   * @throws AssertionError on timeout or interrupt
   */
  public static void until(String description, Callable<Boolean> condition) {
    until(() -> description, condition);
  }

  /**
   * Repeats steps on the caller's thread until the condition holds. For conditions that advance
   * simulated time, which need many polls.
   */
  public static void stepUntil(String description, Callable<Boolean> stepAndCheck) {
    until(LONGEST, STEP_INTERVAL, () -> description, stepAndCheck);
  }

  public static void until(Supplier<String> description, Callable<Boolean> condition) {
    until(LONGEST, description, condition);
  }

  public static void until(
      Duration longest, Supplier<String> description, Callable<Boolean> condition) {
    until(longest, POLL_INTERVAL, description, condition);
  }

  private static void until(
      Duration longest,
      PollInterval interval,
      Supplier<String> description,
      Callable<Boolean> condition) {
    try {
      poll(longest, interval, description, condition);
    } catch (ConditionTimeoutException timeout) {
      throw new AssertionError(
          "not within " + longest.toSeconds() + " s: " + description.get(), timeout);
    }
  }

  /**
   * Polls until the value matches or the timeout expires. Use it where a later comparison reports
   * the difference.
   *
   * @return the last value
   */
  public static <T> T lastOf(Duration longest, Callable<T> reader, Predicate<? super T> expected)
      throws Exception {
    AtomicReference<T> last = new AtomicReference<>(reader.call());
    try {
      poll(
          longest,
          POLL_INTERVAL,
          () -> "last seen: " + last,
          () -> {
            if (!expected.test(last.get())) {
              last.set(reader.call());
            }
            return expected.test(last.get());
          });
    } catch (ConditionTimeoutException timeout) {
      return last.get();
    }
    return last.get();
  }

  private static void poll(
      Duration longest,
      PollInterval interval,
      Supplier<String> description,
      Callable<Boolean> condition) {
    await()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(interval)
        .atMost(longest)
        .until(() -> {
          if (Thread.currentThread().isInterrupted()) { // the condition may ignore the interrupt
            throw new AssertionError("interrupted while waiting: " + description.get());
          }
          return condition.call();
        });
  }
}
