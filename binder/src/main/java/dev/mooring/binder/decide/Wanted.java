package dev.mooring.binder.decide;

import dev.mooring.model.Claim;

/**
 * A claim, and what it asks for, prepared for many volumes.
 *
 * @param claim the claim
 * @param key what it asks for
 * @param delayed whether its binding waits for a pod
 * @param likeKubernetes whether volumes are judged as kube-controller-manager judges them
 */
record Wanted(Claim claim, MatchKey key, boolean delayed, boolean likeKubernetes) {
  static Wanted by(Claim claim, boolean delayed, Policy policy) {
    return new Wanted(claim, MatchKey.of(claim), delayed, policy.kubernetes());
  }
}
