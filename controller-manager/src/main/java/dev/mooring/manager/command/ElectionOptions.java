package dev.mooring.manager.command;

import dev.mooring.kube.LeaderElection;
import dev.mooring.manager.lifecycle.Manager;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Option;

/** How one leader among replicas is found; flags and defaults as kube-controller-manager's. */
final class ElectionOptions {
  @Option(
      names = "--leader-elect",
      arity = "0..1",
      fallbackValue = "true",
      description = "Act only while leading; other replicas stand by. Default: ${DEFAULT-VALUE}.")
  private boolean elect = true;

  @Option(
      names = "--leader-elect-lease-duration",
      paramLabel = "DURATION",
      defaultValue = "15s",
      converter = GoDuration.class,
      description =
          "How long others wait for a leader that does not renew. Default: ${DEFAULT-VALUE}.")
  private Duration leaseDuration = Duration.ofSeconds(15);

  @Option(
      names = "--leader-elect-renew-deadline",
      paramLabel = "DURATION",
      defaultValue = "10s",
      converter = GoDuration.class,
      description = "How long a leader that cannot renew goes on. Default: ${DEFAULT-VALUE}.")
  private Duration renewDeadline = Duration.ofSeconds(10);

  @Option(
      names = "--leader-elect-retry-period",
      paramLabel = "DURATION",
      defaultValue = "2s",
      converter = GoDuration.class,
      description = "Between two tries to get or keep the lead. Default: ${DEFAULT-VALUE}.")
  private Duration retryPeriod = Duration.ofSeconds(2);

  @Option(
      names = "--leader-elect-resource-lock",
      paramLabel = "KIND",
      description = "What the lock is; only leases. Default: ${DEFAULT-VALUE}.")
  private String lock = "leases";

  @Option(
      names = "--leader-elect-resource-name",
      paramLabel = "NAME",
      description = "Name of the Lease. Default: ${DEFAULT-VALUE}.")
  private String name = "mooring-controller-manager";

  @Option(
      names = "--leader-elect-resource-namespace",
      paramLabel = "NAMESPACE",
      description = "Namespace of the Lease. Default: ${DEFAULT-VALUE}.")
  private String namespace = "kube-system";

  /** Nothing is elected on a server of one's own. */
  void off() {
    elect = false;
  }

  Optional<LeaderElection.Config> config() throws UsageException {
    if (!elect) {
      return Optional.empty();
    }
    if (!lock.equals("leases")) {
      throw new WrongFlagException(
          "--leader-elect-resource-lock " + lock + " is not known: only leases is");
    }
    return Optional.of(
        new LeaderElection.Config(
            lease(),
            Manager.host() + "_" + UUID.randomUUID(),
            leaseDuration,
            renewDeadline,
            retryPeriod));
  }

  /** The Lease that is named. */
  ObjectKey lease() {
    return ObjectKey.of(namespace, name);
  }
}
