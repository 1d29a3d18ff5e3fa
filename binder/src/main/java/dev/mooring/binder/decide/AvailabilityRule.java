package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import org.jspecify.annotations.Nullable;

/** Rules by which a volume counts as free: part of a {@link BinderPolicy}. */
public enum AvailabilityRule {
  /**
   * Treats an empty claimRef as none, and a volume without a phase, or Pending, like an Available
   * one.
   */
  MOORING,
  KUBERNETES;

  public @Nullable ClaimRef holder(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.isEmpty() && this == MOORING ? null : ref;
  }

  boolean hasPhaseOfFree(Volume volume) {
    return switch (volume.phase()) {
      case AVAILABLE -> true;
      case UNSET, PENDING -> this == MOORING;
      case BOUND, RELEASED, FAILED -> false;
    };
  }

  public boolean isFree(Volume volume) {
    return holder(volume) == null && hasPhaseOfFree(volume) && isNotBeingDeleted(volume);
  }

  static boolean isNotBeingDeleted(Volume volume) {
    return !volume.meta().isBeingDeleted();
  }

  static boolean isOwn(Claim claim, Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && !ref.uid().isNone() && ref.uid().equals(claim.meta().uid());
  }

  /**
   * Returns whether the claimRef names the claim, and not an earlier claim of the same name. A
   * volume that was freed after a plugin had begun to delete it is reserved for no claim.
   */
  static boolean isReserved(Claim claim, Volume volume) {
    ClaimRef ref = volume.claimRef();
    boolean isFreedTooLate = BinderMarks.isPossiblyBeingDestroyed(volume) && !isOwn(claim, volume);
    return ref != null && ref.isFor(claim.key(), claim.meta().uid()) && !isFreedTooLate;
  }

  /** Returns whether another claim had the volume and it may still be scrubbed or deleted. */
  static boolean isReclaimedForAnother(Claim claim, Volume volume) {
    return BinderMarks.isReleasedOrFailed(volume.phase())
        && (!isOwn(claim, volume) || BinderMarks.isPossiblyBeingDestroyed(volume));
  }
}
