package dev.mooring.protection.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Pod;

/** How a pod of the claim's namespace names the claim. */
final class PodClaims {
  private PodClaims() {}

  /** As the claim of one of its generic ephemeral volumes, whoever owns it. */
  static boolean ofEphemeralVolume(Pod pod, Claim claim) {
    return pod.ephemeral().stream().anyMatch(v -> pod.claimOf(v).equals(claim.meta().name()));
  }

  /** By the claim's own name: those of ephemeral volumes stand among the pod's claims too. */
  static boolean byName(Pod pod, Claim claim) {
    String name = claim.meta().name();
    long named = pod.claims().stream().filter(name::equals).count();
    long made = pod.ephemeral().stream().filter(v -> pod.claimOf(v).equals(name)).count();
    return named > made;
  }
}
