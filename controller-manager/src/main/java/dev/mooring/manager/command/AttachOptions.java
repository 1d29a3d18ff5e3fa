package dev.mooring.manager.command;

import dev.mooring.attachdetach.AttachDetachConfig;
import dev.mooring.reconcile.Compat;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

final class AttachOptions {
  enum Failover {
    timeout,
    evidence
  }

  @Option(
      names = "--disable-attach-detach-reconcile-sync",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Disable the periodic comparison of attachments with the cached state. Default: ${DEFAULT-VALUE}.")
  private boolean noSync;

  @Option(
      names = "--attach-detach-reconcile-sync-period",
      paramLabel = "DURATION",
      description =
          "Interval between comparisons of attachments with the cached state. Minimum: 1s. Default: ${DEFAULT-VALUE}.")
  private Duration sync = AttachDetachConfig.VERIFICATION_PERIOD;

  @Option(
      names = "--disable-force-detach-on-timeout",
      arity = "0..1",
      fallbackValue = "true",
      description =
          "Disable forced detach of volumes in use from nodes that have been unready for six minutes. Only the taint node.kubernetes.io/out-of-service then forces a detach. Default: ${DEFAULT-VALUE}.")
  private boolean noForce;

  @Option(
      names = "--failover",
      description =
          "When an unreachable node loses its volumes. timeout: after six minutes. evidence: as soon as the plugin or the node's Lease proves that the node is dead; with --mode=beside only a plugin's proof that the machine is off counts, and the taint node.kubernetes.io/out-of-service marks the node. Default: ${DEFAULT-VALUE}.")
  private Failover failover = Failover.timeout;

  boolean failsOverByEvidence() {
    return failover == Failover.evidence;
  }

  AttachDetachConfig config(Compat compat) {
    // as in Kubernetes, an invalid period is an error even if the comparison is disabled
    AttachDetachConfig checked =
        new AttachDetachConfig(Optional.of(sync), !noForce, failsOverByEvidence(), compat);
    return noSync
        ? new AttachDetachConfig(Optional.empty(), !noForce, failsOverByEvidence(), compat)
        : checked;
  }
}
