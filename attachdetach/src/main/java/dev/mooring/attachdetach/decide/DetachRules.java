package dev.mooring.attachdetach.decide;

import java.time.Duration;

/**
 * Rules for nodes that keep a volume in use.
 *
 * @param forceOnTimeout whether to detach a volume in use from a node that is not ready, after a
 *     while
 * @param byEvidence whether to detach it earlier if evidence proves that the node is dead
 */
public record DetachRules(boolean forceOnTimeout, boolean byEvidence) {
  // Time without a pod that needs the volume, before a node that is not ready loses it, as in
  // Kubernetes.
  public static final Duration FORCE_DETACH_WAIT = Duration.ofMinutes(6);
}
