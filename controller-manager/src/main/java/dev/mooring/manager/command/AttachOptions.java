package dev.mooring.manager.command;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.reconcile.Compat;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** How volumes are attached and detached. */
final class AttachOptions {
  /** When a node that does not answer loses its volumes. */
  enum Failover {
    timeout,
    evidence
  }

  @Option(
      names = "--disable-attach-detach-reconcile-sync",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Do not compare periodically what is attached with what is thought to be. Default: ${DEFAULT-VALUE}.")
  private boolean noSync;

  @Option(
      names = "--attach-detach-reconcile-sync-period",
      paramLabel = "DURATION",
      defaultValue = "1m0s",
      converter = GoDuration.class,
      description =
          "How often what is attached is compared with what is thought to be; 1s at least. Default: ${DEFAULT-VALUE}.")
  private Duration sync = AttachDetachConfig.VERIFY_EVERY;

  @Option(
      names = "--disable-force-detach-on-timeout",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Do not take volumes in use from nodes that have not been ready for six minutes; only the taint node.kubernetes.io/out-of-service does it then. Default: ${DEFAULT-VALUE}.")
  private boolean noForce;

  @Option(
      names = "--failover",
      description =
          "timeout: a node that does not answer keeps its volumes for six minutes; evidence: it loses them as soon as it was found dead (by its plugin, or by its Lease). Default: ${DEFAULT-VALUE}.")
  private Failover failover = Failover.timeout;

  AttachDetachConfig config(Compat compat) {
    // Kubernetes checks the period even where it is not used
    AttachDetachConfig checked =
        new AttachDetachConfig(Optional.of(sync), !noForce, failover == Failover.evidence, compat);
    return noSync
        ? new AttachDetachConfig(Optional.empty(), !noForce, failover == Failover.evidence, compat)
        : checked;
  }
}
