package dev.mooring.attachdetach.decide;

import java.time.Duration;

/**
 * What may be done to a node that does not let go.
 *
 * @param forceOnTimeout whether a volume in use is taken from a node that is not ready, in the end
 * @param patience how long it is waited for before that
 */
public record DetachRules(boolean forceOnTimeout, Duration patience) {
  /** Kubernetes' patience. */
  public static final Duration SIX_MINUTES = Duration.ofMinutes(6);
}
