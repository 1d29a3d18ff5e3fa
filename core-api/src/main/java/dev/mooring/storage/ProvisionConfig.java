package dev.mooring.storage;

import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;

/**
 * How claims are provisioned for.
 *
 * @param workers how many claims, and how many volumes, at once
 * @param firstRetry how long a key that failed waits at first; doubled at every failure
 * @param lastRetry how long at most, and how long a request is not repeated that the storage called
 *     infeasible
 * @param reporter who events come from
 * @param names how volumes are called
 */
public record ProvisionConfig(
    int workers, Duration firstRetry, Duration lastRetry, String reporter, DriverNames names) {
  /** 256 at once, each of which costs little; external-provisioner's pauses; no reporter yet. */
  public static final ProvisionConfig DEFAULTS =
      new ProvisionConfig(
          256, Duration.ofSeconds(1), Duration.ofMinutes(5), "", DriverNames.OF_VOLUMES);

  /** The same, with another reporter. */
  public ProvisionConfig withReporter(String other) {
    return new ProvisionConfig(workers, firstRetry, lastRetry, other, names);
  }
}
