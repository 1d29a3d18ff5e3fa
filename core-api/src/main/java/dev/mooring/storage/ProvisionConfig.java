package dev.mooring.storage;

import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;

/**
 * Settings of a provisioner.
 *
 * @param workers number of concurrent claims, and of concurrent volumes
 * @param firstRetry first back-off of a failed key; doubles with each failure
 * @param lastRetry longest back-off; also the period without a retry after an infeasible request
 * @param reporter reporter of events
 * @param names names of volumes
 * @param thresholds numbers of failures after which attempts end
 */
public record ProvisionConfig(
    int workers,
    Duration firstRetry,
    Duration lastRetry,
    String reporter,
    DriverNames names,
    Thresholds thresholds) {
  /**
   * Ends the events of failures after which no attempt follows until the object changes. {@code
   * explain} recognizes it.
   */
  public static final String GIVEN_UP = "; given up until it changes";

  /**
   * Numbers of retries after failures of the storage; 0 = unlimited.
   *
   * @param failedProvisions retries for a claim
   * @param failedDeletions retries for a volume
   */
  public record Thresholds(int failedProvisions, int failedDeletions) {
    public static final Thresholds NONE = new Thresholds(0, 0);
  }

  /**
   * Default settings: external-provisioner's back-off and no reporter. 256 workers are cheap on
   * virtual threads.
   */
  public static final ProvisionConfig DEFAULTS =
      new ProvisionConfig(
          256,
          Duration.ofSeconds(1),
          Duration.ofMinutes(5),
          "",
          DriverNames.OF_VOLUMES,
          Thresholds.NONE);

  public ProvisionConfig withReporter(String newReporter) {
    return new ProvisionConfig(workers, firstRetry, lastRetry, newReporter, names, thresholds);
  }
}
