package dev.mooring.manager.command;

import dev.mooring.kube.LeaderElection;
import dev.mooring.manager.lifecycle.HostName;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

final class ElectionOptions {
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

  @Option(
      names = "--leader-elect",
      arity = "0..1",
      fallbackValue = "true",
      description = "Elect one active leader among several replicas. Default: ${DEFAULT-VALUE}.")
  private boolean elect = true;

  @Option(
      names = "--leader-elect-lease-duration",
      paramLabel = "DURATION",
      description =
          "Time without renewal after which other replicas may take over the lease. Default: ${DEFAULT-VALUE}.")
  private Duration leaseDuration = Duration.ofSeconds(15);

  @Option(
      names = "--leader-elect-renew-deadline",
      paramLabel = "DURATION",
      description =
          "Time for which a leader keeps trying to renew before it stops. Default: ${DEFAULT-VALUE}.")
  private Duration renewDeadline = Duration.ofSeconds(10);

  @Option(
      names = "--leader-elect-retry-period",
      paramLabel = "DURATION",
      description =
          "Time between attempts to acquire or renew leadership. Default: ${DEFAULT-VALUE}.")
  private Duration retryPeriod = Duration.ofSeconds(2);

  @Option(
      names = "--leader-elect-resource-lock",
      paramLabel = "KIND",
      description = "Type of the lock; only 'leases' is supported. Default: ${DEFAULT-VALUE}.")
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

  @Option(
      names = "--leader-election-labels",
      paramLabel = "KEY:VALUE",
      split = ",",
      description =
          "Labels that a new leader adds to the Lease, separated by commas. Example: team:storage,tier:1. Default: none.")
  private List<LeaseLabel> labels = List.of();

  @Option(
      names = "--leader-elect-warm-up",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "While another replica leads, run the controllers once on an in-memory cluster, so that a takeover is fast. Costs about 3 s of CPU time. Default: ${DEFAULT-VALUE}.")
  private boolean warmUp = true;

  boolean isOn() {
    return elect;
  }

  void disable() {
    elect = false;
  }

  /** Returns the delay of a standby's warm-up; empty for none. */
  Optional<Duration> warmUpDelay() {
    return elect && warmUp ? Optional.of(retryPeriod.plus(retryPeriod)) : Optional.empty();
  }

  Optional<LeaderElection.Config> config() throws UsageException {
    if (!elect) {
      return Optional.empty();
    }
    if (!lock.equals("leases")) {
      throw new InvalidFlagException(
          "--leader-elect-resource-lock " + lock + " is not supported: specify leases");
    }
    requireName("--leader-elect-resource-name", NAME, name);
    requireName("--leader-elect-resource-namespace", NAMESPACE, namespace);
    return Optional.of(
        new LeaderElection.Config(
            lease(),
            HostName.read() + "_" + UUID.randomUUID(),
            leaseDuration,
            renewDeadline,
            retryPeriod,
            labels.stream()
                .collect(Collectors.toMap(LeaseLabel::key, LeaseLabel::value, (_, last) -> last))));
  }

  // with an invalid name, a process would stand by for ever
  private static void requireName(String flag, Pattern valid, String name)
      throws InvalidFlagException {
    if (!valid.matcher(name).matches()) {
      throw new InvalidFlagException(
          "%s \"%s\" is not a valid name: specify lower-case letters, digits and hyphens"
              .formatted(flag, name));
    }
  }

  ObjectKey lease() {
    return ObjectKey.of(namespace, name);
  }
}
