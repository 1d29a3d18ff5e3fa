package dev.mooring.time;

import java.time.Duration;

/**
 * Back-off: failure n waits {@code firstDelay * 2^(n-1)}, at most {@code cap}. Stores no failures.
 *
 * @param jitter largest random prolongation, as a share of the delay; 0 for none
 */
public record DoublingDelay(Duration firstDelay, Duration cap, double jitter) {
  public DoublingDelay {
    if (!firstDelay.isPositive() || cap.compareTo(firstDelay) < 0) {
      throw new IllegalArgumentException(
          "back-off needs 0 < first <= cap, was " + firstDelay + " and " + cap);
    }
  }

  public DoublingDelay(Duration firstDelay, Duration cap) {
    this(firstDelay, cap, 0);
  }

  /**
   * Returns the delay without jitter.
   *
   * @param failures number of failures in a row, at least 1
   */
  public Duration delayAfter(int failures) {
    long nanos = firstDelay.toNanos();
    int doublings = failures - 1;
    return doublings >= Long.numberOfLeadingZeros(nanos) - 1
        ? cap
        : Duration.ofNanos(Math.min(cap.toNanos(), nanos << doublings));
  }

  /**
   * Prolongs a delay, so that several clients do not retry at the same time.
   *
   * @param random random number from 0 to 1
   */
  public Duration prolong(Duration delay, double random) {
    return delay.plusNanos((long) (delay.toNanos() * jitter * random));
  }
}
