package dev.mooring.manager.command;

import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import picocli.CommandLine.Option;

final class ProvisionerOptions {
  @Option(
      names = "--concurrent-provisioner-syncs",
      paramLabel = "N",
      converter = WorkerCount.class,
      description =
          "Maximum number of claims, and of volumes, that each external-provisioner plugin processes concurrently. Default: ${DEFAULT-VALUE}.")
  private int workers = ProvisionConfig.DEFAULTS.workers();

  @Option(
      names = "--provisioner-retry-interval-start",
      paramLabel = "DURATION",
      description =
          "Initial retry delay after a failure of a plugin; doubles with every failure. Default: ${DEFAULT-VALUE}.")
  private Duration firstRetry = Duration.ofSeconds(1);

  @Option(
      names = "--provisioner-retry-interval-max",
      paramLabel = "DURATION",
      description =
          "Maximum retry delay, also for requests that cannot succeed. Default: ${DEFAULT-VALUE}.")
  private Duration lastRetry = Duration.ofMinutes(5);

  @Option(
      names = "--provisioner-failed-provision-threshold",
      paramLabel = "N",
      description =
          "Number of retries after failures of a plugin to provision a volume. Then each change of the claim causes one attempt. A call with an unknown result is repeated without limit. 0 for no limit. Default: ${DEFAULT-VALUE}.")
  private int failedProvisions;

  @Option(
      names = "--provisioner-failed-delete-threshold",
      paramLabel = "N",
      description =
          "Number of retries after failures of a plugin to delete a volume. Then each change of the volume causes one attempt. 0 for no limit. Default: ${DEFAULT-VALUE}.")
  private int failedDeletions;

  ProvisionConfig config() throws UsageException {
    if (!firstRetry.isPositive() || lastRetry.compareTo(firstRetry) < 0) {
      throw new InvalidFlagException(
          "--provisioner-retry-interval-start %s with --provisioner-retry-interval-max %s: the first must be positive and must not exceed the second"
              .formatted(firstRetry, lastRetry));
    }
    requireNotNegative("--provisioner-failed-provision-threshold", failedProvisions);
    requireNotNegative("--provisioner-failed-delete-threshold", failedDeletions);
    return new ProvisionConfig(
        workers,
        firstRetry,
        lastRetry,
        "",
        DriverNames.OF_VOLUMES,
        new ProvisionConfig.Thresholds(failedProvisions, failedDeletions));
  }

  private static void requireNotNegative(String flag, int retries) throws InvalidFlagException {
    if (retries < 0) {
      throw new InvalidFlagException(
          flag + " " + retries + " is negative: specify a number of retries, or 0 for no limit");
    }
  }
}
