package dev.mooring.kube;

import java.math.BigDecimal;
import java.time.Duration;

final class LeaseTimes {
  private static final double JITTER = 1.2;

  private LeaseTimes() {}

  /**
   * Checks the same constraints as kube-controller-manager.
   *
   * @throws IllegalArgumentException naming flags, values and constraints
   */
  static void check(Duration lease, Duration renewDeadline, Duration retryPeriod) {
    if (lease.toSeconds() < 1 || !retryPeriod.isPositive()) {
      throw new IllegalArgumentException(
          "--leader-elect-lease-duration %s must be at least 1s, and --leader-elect-retry-period %s must be positive"
              .formatted(formatSeconds(lease), formatSeconds(retryPeriod)));
    }
    if (lease.compareTo(renewDeadline) <= 0) {
      throw new IllegalArgumentException(
          "--leader-elect-lease-duration %s must be longer than --leader-elect-renew-deadline %s"
              .formatted(formatSeconds(lease), formatSeconds(renewDeadline)));
    }
    if (renewDeadline.toNanos() <= JITTER * retryPeriod.toNanos()) {
      throw new IllegalArgumentException(
          "--leader-elect-renew-deadline %s must be longer than 1.2 times --leader-elect-retry-period %s"
              .formatted(formatSeconds(renewDeadline), formatSeconds(retryPeriod)));
    }
  }

  /** Returns the pause before the next attempt; {@code random} is a number from 0 to 1. */
  static Duration addJitter(Duration retryPeriod, double random) {
    return retryPeriod.plusNanos((long) (retryPeriod.toNanos() * JITTER * random));
  }

  private static String formatSeconds(Duration duration) {
    BigDecimal seconds = BigDecimal.valueOf(duration.toMillis(), 3);
    return seconds.stripTrailingZeros().toPlainString() + "s";
  }
}
