package dev.mooring.protection;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;

/**
 * Claims that get the condition {@code Unused} (Kubernetes' gate {@code
 * PersistentVolumeClaimUnusedSinceTime}).
 */
public enum UnusedCondition {
  OFF,

  /**
   * As in Kubernetes 1.37: while a claim is not Bound, the binder writes its status, and a second
   * writer would cause conflicts.
   */
  BOUND_CLAIMS,

  /** As in Kubernetes 1.36. */
  ALL_CLAIMS;

  boolean covers(Claim claim) {
    return switch (this) {
      case OFF -> false;
      case BOUND_CLAIMS -> claim.phase() == ClaimPhase.BOUND;
      case ALL_CLAIMS -> true;
    };
  }
}
