package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/**
 * A claim, and what it asks for, prepared for many volumes.
 *
 * @param claim the claim
 * @param key what it asks for
 * @param delayed whether its binding waits for a pod
 * @param availability which volumes are to be had
 * @param nodes the nodes that may be chosen for the pod
 */
record Wanted(
    Claim claim, MatchKey key, boolean delayed, Availability availability, EligibleNodes nodes) {
  static Wanted by(Claim claim, boolean delayed, Policy policy) {
    return by(claim, delayed, policy, EligibleNodes.UNKNOWN);
  }

  static Wanted by(Claim claim, boolean delayed, Policy policy, EligibleNodes nodes) {
    return new Wanted(claim, MatchKey.of(claim), delayed, policy.availability(), nodes);
  }
}
