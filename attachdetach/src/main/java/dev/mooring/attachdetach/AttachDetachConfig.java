package dev.mooring.attachdetach;

import dev.mooring.attachdetach.execute.AttachEventStyle;
import dev.mooring.reconcile.Compat;
import java.time.Duration;
import java.util.Optional;

/**
 * How the attach/detach controller runs.
 *
 * @param verifyEvery how often what is attached is compared with what is thought to be; empty for
 *     never
 * @param forceOnTimeout whether a volume in use is taken from a node that is not ready after six
 *     minutes
 * @param failoverByEvidence whether it is taken sooner from a node that was found dead
 * @param compat whose conduct is followed, in what is done and in what is said
 */
public record AttachDetachConfig(
    Optional<Duration> verifyEvery,
    boolean forceOnTimeout,
    boolean failoverByEvidence,
    Compat compat) {
  /** Kubernetes' period of verification. */
  public static final Duration VERIFY_EVERY = Duration.ofMinutes(1);

  /** Kubernetes' rules, Mooring's manners. */
  public static final AttachDetachConfig DEFAULTS =
      new AttachDetachConfig(Optional.of(VERIFY_EVERY), true, false, Compat.MOORING);

  /** Checks the period. */
  public AttachDetachConfig {
    if (verifyEvery.isPresent() && verifyEvery.get().compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "--attach-detach-reconcile-sync-period must be at least 1s, was "
              + verifyEvery.get().toMillis()
              + "ms");
    }
  }

  /** What is told, and when. */
  AttachEventStyle eventStyle() {
    return compat.isKubernetes() ? AttachEventStyle.AS_KUBERNETES : AttachEventStyle.EXPLAINING;
  }
}
