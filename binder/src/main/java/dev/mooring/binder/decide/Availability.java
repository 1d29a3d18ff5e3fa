package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import org.jspecify.annotations.Nullable;

/** Whether a volume is to be had at all, whoever asks. */
public final class Availability {
  private Availability() {}

  /**
   * Whom the volume is reserved for; null for nobody.
   *
   * @param likeKubernetes whether a claimRef that names nobody takes it out of service
   */
  public static @Nullable ClaimRef holder(Volume volume, boolean likeKubernetes) {
    ClaimRef ref = volume.claimRef();
    return ref != null && ref.isEmpty() && !likeKubernetes ? null : ref;
  }

  /**
   * Whether its phase is that of a free one. A volume that nobody has looked at yet is as good as
   * an Available one, but not in Kubernetes.
   */
  static boolean hasPhaseOfFree(Volume volume, boolean likeKubernetes) {
    return switch (volume.phase()) {
      case AVAILABLE -> true;
      case UNSET, PENDING -> !likeKubernetes;
      case BOUND, RELEASED, FAILED -> false;
    };
  }

  /** Whether it is to be had. */
  public static boolean isFree(Volume volume, boolean likeKubernetes) {
    return holder(volume, likeKubernetes) == null
        && hasPhaseOfFree(volume, likeKubernetes)
        && isToStay(volume);
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

  /** Whether it was another claim's, and may still be scrubbed or deleted. */
  static boolean isReclaimedForAnother(Claim claim, Volume volume) {
    return Marks.isReclaimed(volume.phase()) && !isOwn(claim, volume);
  }
}
