package dev.mooring.csi;

import dev.mooring.csi.decide.DriverOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * How the bridge goes about it; the same for all drivers.
 *
 * @param timeout how long a call may take
 * @param workers how many claims, volumes or attachments at once, for each driver
 * @param firstRetry how long what failed waits at first
 * @param lastRetry how long at most
 * @param verifyPeriod how often the driver's published volumes are compared with what we know
 * @param options what drivers are asked
 * @param capacity how capacity is published; empty for not at all
 */
public record CsiConfig(
    Duration timeout,
    int workers,
    Duration firstRetry,
    Duration lastRetry,
    Duration verifyPeriod,
    DriverOptions options,
    Optional<Capacity> capacity) {
  /**
   * How capacity is published.
   *
   * @param namespace where the CSIStorageCapacity objects are
   * @param period how often drivers are asked
   * @param immediateToo whether for classes too that do not wait for a first consumer
   */
  public record Capacity(String namespace, Duration period, boolean immediateToo) {
    /**
     * Checked.
     *
     * @throws IllegalArgumentException naming the value that cannot be
     */
    public Capacity {
      if (namespace.isEmpty()) {
        throw new IllegalArgumentException(
            "--enable-capacity needs a namespace for its objects: name it by --capacity-namespace, or by the environment variable NAMESPACE");
      }
      if (!period.isPositive()) {
        throw new IllegalArgumentException(
            "--capacity-poll-interval must be more than 0, was " + period);
      }
    }
  }

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
          DriverOptions.DEFAULTS,
          Optional.empty());
}
