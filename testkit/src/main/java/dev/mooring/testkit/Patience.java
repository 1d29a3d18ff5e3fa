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
 * Waits in tests for what has to come. How long that may take is said here and nowhere else: longer
 * than the slowest machine needs, as it says nothing about speed. What must not come later than
 * something is tested on simulated time, or measured by a benchmark.
 */
public final class Patience {
  /** How long anything may take; {@code -Dmooring.patience} seconds. */
  public static final Duration LONGEST = Duration.ofSeconds(Long.getLong("mooring.patience", 180));

  private static final PollInterval BETWEEN_LOOKS =
      (looks, _) -> Duration.ofMillis(Math.min(looks, 10)); // most of it comes at once

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
    until(LONGEST, what, condition);
  }

  /**
   * The same.
   *
   * @param longest where what is played takes long by itself
   */
  public static void until(Duration longest, Supplier<String> what, Callable<Boolean> condition) {
    try {
      look(longest, what, condition);
    } catch (ConditionTimeoutException over) {
      throw new AssertionError("not within " + longest.toSeconds() + " s: " + what.get(), over);
    }
  }

  /**
   * Looks until it is as wished, for at most so long: where it may well not come to that, or what
   * differs is said by a comparison.
   *
   * @return what was seen last
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
          if (Thread.currentThread().isInterrupted()) { // which nobody else heeds here
            throw new AssertionError("interrupted while waiting: " + what.get());
          }
          return condition.call();
        });
  }
}
