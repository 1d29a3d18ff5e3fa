package dev.mooring.protection.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Pod;

final class PodClaims {
  private PodClaims() {}

  /**
   * Returns whether the pod names the claim as that of a generic ephemeral volume, regardless of
   * its owner.
   */
  static boolean ofEphemeralVolume(Pod pod, Claim claim) {
    return pod.ephemeral().stream().anyMatch(v -> pod.claimOf(v).equals(claim.meta().name()));
  }

  /**
   * Returns whether the pod names the claim directly; a pod's claims include those of ephemeral
   * volumes.
   */
  static boolean byName(Pod pod, Claim claim) {
    String name = claim.meta().name();
    long named = pod.claims().stream().filter(name::equals).count();
    long made = pod.ephemeral().stream().filter(v -> pod.claimOf(v).equals(name)).count();
    return named > made;
  }
}
