package dev.mooring.manager.command;

import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.decide.DriverNames;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The flags of the provisioner controller. */
final class ProvisionerOptions {
  @Option(
      names = "--concurrent-provisioner-syncs",
      paramLabel = "N",
      converter = WorkerCount.class,
      description =
          "Claims, and volumes, that each plugin works on at once by the external-provisioner protocol. Default: ${DEFAULT-VALUE}.")
  private int workers = ProvisionConfig.DEFAULTS.workers();

  @Option(
      names = "--provisioner-retry-interval-start",
      paramLabel = "DURATION",
      defaultValue = "1s",
      converter = GoDuration.class,
      description =
          "How long a claim or volume waits after its plugin has failed; doubled at every failure. Default: ${DEFAULT-VALUE}.")
  private Duration firstRetry = Duration.ofSeconds(1);

  @Option(
      names = "--provisioner-retry-interval-max",
      paramLabel = "DURATION",
      defaultValue = "5m",
      converter = GoDuration.class,
      description =
          "How long at most, and how long a request is not repeated that can never succeed. Default: ${DEFAULT-VALUE}.")
  private Duration lastRetry = Duration.ofMinutes(5);

  ProvisionConfig config() throws UsageException {
    if (!firstRetry.isPositive() || lastRetry.compareTo(firstRetry) < 0) {
      throw new WrongFlagException(
          "--provisioner-retry-interval-start "
              + firstRetry
              + " with --provisioner-retry-interval-max "
              + lastRetry
              + ": the first must be positive, and the second not less");
    }
    return new ProvisionConfig(workers, firstRetry, lastRetry, "", DriverNames.OF_VOLUMES);
  }
}
