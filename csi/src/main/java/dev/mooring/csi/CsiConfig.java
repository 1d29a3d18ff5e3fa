package dev.mooring.csi;

import dev.mooring.csi.decide.DriverOptions;
import java.time.Duration;

/**
 * How the bridge goes about it; the same for all drivers.
 *
 * @param timeout how long a call may take
 * @param workers how many claims, volumes or attachments at once, for each driver
 * @param firstRetry how long what failed waits at first
 * @param lastRetry how long at most
 * @param verifyPeriod how often the driver's published volumes are compared with what we know
 * @param options what drivers are asked
 */
public record CsiConfig(
    Duration timeout,
    int workers,
    Duration firstRetry,
    Duration lastRetry,
    Duration verifyPeriod,
    DriverOptions options) {
  /**
   * Checked.
   *
   * @throws IllegalArgumentException naming the value that cannot be
   */
  public CsiConfig {
    if (workers < 1) {
      throw new IllegalArgumentException("--csi-workers must be at least 1, was " + workers);
    }
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("--csi-timeout must be more than 0, was " + timeout);
    }
    if (firstRetry.isNegative() || firstRetry.isZero() || lastRetry.compareTo(firstRetry) < 0) {
      throw new IllegalArgumentException(
          "--csi-retry-interval-start must be more than 0 and not above --csi-retry-interval-max, was "
              + firstRetry
              + " and "
              + lastRetry);
    }
    if (verifyPeriod.isNegative() || verifyPeriod.isZero()) {
      throw new IllegalArgumentException(
          "--csi-reconcile-sync must be more than 0, was " + verifyPeriod);
    }
  }

  /** The sidecars' defaults. */
  public static final CsiConfig DEFAULTS =
      new CsiConfig(
          Duration.ofSeconds(15),
          100,
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(1),
          DriverOptions.DEFAULTS);
}
