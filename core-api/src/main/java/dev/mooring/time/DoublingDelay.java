package dev.mooring.time;

import java.time.Duration;

/**
 * Back-off: failure n waits {@code first * 2^(n-1)}, at most {@code cap}. Stores no failures.
 *
 * @param jitter largest random prolongation, as a share of the delay; 0 for none
 */
public record DoublingDelay(Duration first, Duration cap, double jitter) {
  public DoublingDelay {
    if (!first.isPositive() || cap.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "back-off needs 0 < first <= cap, was " + first + " and " + cap);
    }
  }

  public DoublingDelay(Duration first, Duration cap) {
    this(first, cap, 0);
  }

  /**
   * Returns the delay without jitter.
   *
   * @param failures number of failures in a row, at least 1
   */
  public Duration after(int failures) {
    long nanos = first.toNanos();
    int doublings = failures - 1;
    return doublings >= Long.numberOfLeadingZeros(nanos) - 1
        ? cap
        : Duration.ofNanos(Math.min(cap.toNanos(), nanos << doublings));
  }

  /**
   * Prolongs a delay, so that several clients do not retry at the same time.
   *
   * @param chance random number from 0 to 1
   */
  public Duration prolong(Duration delay, double chance) {
    return delay.plusNanos((long) (delay.toNanos() * jitter * chance));
  }
}
