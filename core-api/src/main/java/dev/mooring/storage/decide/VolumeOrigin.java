package dev.mooring.storage.decide;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.time.DateTimeException;
import java.time.Instant;

/** What a volume says about how it came to be. */
public final class VolumeOrigin {
  /** On a volume: which provisioner made it. */
  public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  /** On a volume: the binder, not a user or provisioner, wrote its claimRef. */
  public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  /** On a volume: when Mooring created the object. A copy of the object is created later. */
  public static final String MADE_AT = "mooring.dev/made-at";

  /**
   * On a volume: the uid of its claim, to which it was never bound. What the volume stands for does
   * not go with that claim.
   */
  public static final String NEVER_BOUND = "mooring.dev/never-bound";

  /** The value of {@link #NEVER_BOUND} when an administrator wants the storage destroyed. */
  public static final String DESTROY = "destroy";

  /** How far our clock and the API server's may differ. A copy within that time is not seen. */
  private static final long SKEW_SECONDS = 300;

  private VolumeOrigin() {}

  /** The value of {@link #MADE_AT} for an object that is created now. */
  public static String madeAt(Instant now) {
    return Instant.ofEpochSecond(now.getEpochSecond()).toString();
  }

  /**
   * Whether Mooring created this very object for the claim that it names. A restored or re-applied
   * copy is younger than its mark says; it may hold what the claim once stored.
   */
  public static boolean isOriginal(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && volume.meta().has(PROVISIONED_BY)
        && DriverNames.isOf(ref.uid(), volume.meta().name())
        && Math.abs(volume.meta().created() - markedSecond(volume)) <= SKEW_SECONDS;
  }

  private static long markedSecond(Volume volume) {
    try {
      return Instant.parse(volume.meta().annotation(MADE_AT)).getEpochSecond();
    } catch (DateTimeException e) {
      return Long.MIN_VALUE / 2; // no mark of ours, and no time near any other
    }
  }

  /** Whether the volume says that it was never bound to the claim that it names. */
  public static boolean saysNeverBound(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && !ref.uid().isNone()
        && volume.meta().annotation(NEVER_BOUND).equals(ref.uid().toString());
  }

  /** Whether an administrator wants the storage destroyed although it was never bound. */
  public static boolean isToBeDestroyed(Volume volume) {
    return volume.meta().annotation(NEVER_BOUND).equals(DESTROY);
  }

  /** Whether a provisioner made the volume for one claim, to be destroyed with it. */
  public static boolean isDisposable(Volume volume) {
    return volume.meta().has(PROVISIONED_BY) && volume.reclaimPolicy() == ReclaimPolicy.DELETE;
  }

  /**
   * Whether a provisioner made the volume for this very claim: it named the volume after the claim
   * and wrote the claimRef itself.
   */
  public static boolean isMadeFor(Volume volume, Uid claim) {
    return volume.meta().has(PROVISIONED_BY)
        && !volume.meta().has(BOUND_BY_CONTROLLER)
        && DriverNames.isOf(claim, volume.meta().name());
  }
}
