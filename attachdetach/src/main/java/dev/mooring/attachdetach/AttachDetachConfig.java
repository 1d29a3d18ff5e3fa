package dev.mooring.attachdetach;

import dev.mooring.attachdetach.decide.DetachRules;
import dev.mooring.attachdetach.execute.AttachEventStyle;
import dev.mooring.reconcile.Compat;
import java.time.Duration;
import java.util.Optional;

/**
 * Configuration of the attach/detach controller.
 *
 * @param verificationPeriod time between comparisons of the recorded with the real attachments;
 *     empty for never
 * @param forceOnTimeout whether to detach a volume in use from a node that is not ready for six
 *     minutes
 * @param failoverByEvidence whether to detach it earlier if evidence proves that the node is dead
 * @param compat whose behaviour and events to follow
 */
public record AttachDetachConfig(
    Optional<Duration> verificationPeriod,
    boolean forceOnTimeout,
    boolean failoverByEvidence,
    Compat compat) {
  public static final Duration VERIFICATION_PERIOD = Duration.ofMinutes(1);

  // Kubernetes' rules, with Mooring's additional events
  public static final AttachDetachConfig DEFAULTS =
      new AttachDetachConfig(Optional.of(VERIFICATION_PERIOD), true, false, Compat.MOORING);

  public AttachDetachConfig {
    if (verificationPeriod.isPresent()
        && verificationPeriod.get().compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "--attach-detach-reconcile-sync-period must be at least 1s, was "
              + verificationPeriod.get().toMillis()
              + "ms");
    }
  }

  DetachRules detachRules() {
    return new DetachRules(forceOnTimeout, failoverByEvidence);
  }

  AttachEventStyle eventStyle() {
    return compat.isKubernetes() ? AttachEventStyle.AS_KUBERNETES : AttachEventStyle.EXPLAINING;
  }
}
