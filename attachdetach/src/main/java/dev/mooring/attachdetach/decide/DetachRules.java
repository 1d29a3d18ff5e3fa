package dev.mooring.attachdetach.decide;

import java.time.Duration;

/**
 * Rules for nodes that keep a volume in use.
 *
 * @param forceOnTimeout whether to detach a volume in use from a node that stays not ready
 * @param patience waiting time before that
 */
public record DetachRules(boolean forceOnTimeout, Duration patience) {
  public static final Duration SIX_MINUTES = Duration.ofMinutes(6);
}
