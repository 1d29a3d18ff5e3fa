package dev.mooring.benchmarks;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Polls for a condition. Other sleeps in benchmarks pace a load or sample a value. If the condition
 * stops the clock of a measurement, the result is late by up to one interval, so each caller
 * chooses the interval.
 *
 * @param interval time between two polls
 * @param limit timeout; for {@link RemainingCount}, the maximum time without progress
 */
public record PollingWait(Duration interval, Duration limit) {
  /**
   * A condition to wait for.
   *
   * @param <X> failure of a check, which ends the wait
   */
  @FunctionalInterface
  public interface WaitCondition<X extends Exception> {
    boolean isMet() throws X, InterruptedException;
  }

  /**
   * A count that decreases to 0.
   *
   * @param <X> failure of a check, which ends the wait
   */
  @FunctionalInterface
  public interface RemainingCount<X extends Exception> {
    int count() throws X, InterruptedException;
  }

  public static PollingWait of(long intervalMillis, long limitSeconds) {
    return new PollingWait(Duration.ofMillis(intervalMillis), Duration.ofSeconds(limitSeconds));
  }

  /**
   * Waits until the condition is met.
   *
   * @param problem describes the current state, for the message of the exception
   * @throws IllegalStateException after the timeout
   */
  public <X extends Exception> void until(Supplier<String> problem, WaitCondition<X> condition)
      throws X, InterruptedException {
    if (!await(condition)) {
      throw newTimeoutException(problem);
    }
  }

  public <X extends Exception> void until(String problem, WaitCondition<X> condition)
      throws X, InterruptedException {
    until(() -> problem, condition);
  }

  /** Waits until the condition is met; returns false after the timeout. */
  public <X extends Exception> boolean await(WaitCondition<X> condition)
      throws X, InterruptedException {
    return awaitZero(() -> condition.isMet() ? 0 : 1);
  }

  /**
   * Waits until the count is 0.
   *
   * @param problem describes the current state, for the message of the exception
   * @throws IllegalStateException after the timeout without progress
   */
  public <X extends Exception> void untilZero(Supplier<String> problem, RemainingCount<X> remaining)
      throws X, InterruptedException {
    if (!awaitZero(remaining)) {
      throw newTimeoutException(problem);
    }
  }

  /** Waits until the count is 0; returns false after the timeout without progress. */
  public <X extends Exception> boolean awaitZero(RemainingCount<X> remaining)
      throws X, InterruptedException {
    long lastProgress = System.nanoTime();
    int minCount = Integer.MAX_VALUE;
    for (int current = remaining.count(); current > 0; current = remaining.count()) {
      if (current < minCount) {
        minCount = current;
        lastProgress = System.nanoTime();
      } else if (System.nanoTime() - lastProgress > limit.toNanos()) {
        return false;
      }
      Thread.sleep(interval);
    }
    return true;
  }

  private IllegalStateException newTimeoutException(Supplier<String> problem) {
    return new IllegalStateException(
        "%s (waited %.1f s)".formatted(problem.get(), limit.toMillis() / 1000.0));
  }
}
