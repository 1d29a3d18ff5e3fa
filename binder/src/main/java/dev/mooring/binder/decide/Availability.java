package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import org.jspecify.annotations.Nullable;

/** Whether a volume is to be had at all, whoever asks: part of a {@link Policy}. */
public enum Availability {
  /**
   * A claimRef that names nobody is none, and a volume that nobody has looked at yet is as good as
   * an Available one.
   */
  MOORING,
  /** Neither. */
  KUBERNETES;

  /** Whom the volume is reserved for; null for nobody. */
  public @Nullable ClaimRef holder(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.isEmpty() && this == MOORING ? null : ref;
  }

  /** Whether its phase is that of a free one. */
  boolean hasPhaseOfFree(Volume volume) {
    return switch (volume.phase()) {
      case AVAILABLE -> true;
      case UNSET, PENDING -> this == MOORING;
      case BOUND, RELEASED, FAILED -> false;
    };
  }

  /** Whether it is to be had. */
  public boolean isFree(Volume volume) {
    return holder(volume) == null && hasPhaseOfFree(volume) && isToStay(volume);
  }

  /** Whether nobody deletes it. */
  static boolean isToStay(Volume volume) {
    return !volume.meta().isBeingDeleted();
  }

  /** Whether the volume names this very claim: its binding has begun. */
  static boolean isOwn(Claim claim, Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && !ref.uid().isNone() && ref.uid().equals(claim.meta().uid());
  }

  /** Whether the volume is kept for the claim, if not for an earlier one of its name. */
  static boolean isReserved(Claim claim, Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.isFor(claim.key(), claim.meta().uid());
  }

  /** Whether it was another claim's, and may still be emptied or deleted. */
  static boolean isReclaimedForAnother(Claim claim, Volume volume) {
    return Marks.isReclaimed(volume.phase())
        && (!isOwn(claim, volume) || Marks.mayBeDestroyed(volume));
  }
}
