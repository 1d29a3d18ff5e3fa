package dev.mooring.attachdetach.decide;

import java.time.Duration;

/**
 * Rules for nodes that keep a volume in use.
 *
 * @param forceOnTimeout whether to detach a volume in use from a node that stays not ready
 * @param byEvidence whether to detach it earlier if evidence proves that the node is dead
 */
public record DetachRules(boolean forceOnTimeout, boolean byEvidence) {
  // Waiting time for a node that stays not ready, as in Kubernetes.
  public static final Duration FORCE_DETACH_WAIT = Duration.ofMinutes(6);
}
