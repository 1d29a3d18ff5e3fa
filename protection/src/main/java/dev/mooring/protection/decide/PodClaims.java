package dev.mooring.protection.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Pod;

final class PodClaims {
  private PodClaims() {}

  static boolean ofEphemeralVolume(Pod pod, Claim claim) {
    return pod.ephemeral().stream().anyMatch(v -> pod.claimOf(v).equals(claim.meta().name()));
  }

  static boolean byName(Pod pod, Claim claim) {
    String name = claim.meta().name();
    long named = pod.claims().stream().filter(name::equals).count();
    long made = pod.ephemeral().stream().filter(v -> pod.claimOf(v).equals(name)).count();
    return named > made;
  }
}
