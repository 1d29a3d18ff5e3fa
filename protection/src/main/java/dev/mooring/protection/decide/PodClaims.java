package dev.mooring.protection.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Pod;

final class PodClaims {
  private PodClaims() {}

  static boolean hasEphemeralClaim(Pod pod, Claim claim) {
    return pod.ephemeral().stream().anyMatch(v -> pod.claimOf(v).equals(claim.meta().name()));
  }

  static boolean hasNamedClaim(Pod pod, Claim claim) {
    String name = claim.meta().name();
    // a pod's claims include those of its ephemeral volumes
    long nameCount = pod.claims().stream().filter(name::equals).count();
    long ephemeralCount = pod.ephemeral().stream().filter(v -> pod.claimOf(v).equals(name)).count();
    return nameCount > ephemeralCount;
  }
}
