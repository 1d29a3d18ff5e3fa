package dev.mooring.storage.decide;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.time.DateTimeException;
import java.time.Instant;

/** Origin of a volume, according to its annotations. */
public final class VolumeOrigin {
  public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  /** Annotation of a volume: time at which Mooring created the object. A copy is created later. */
  public static final String MADE_AT = "mooring.dev/made-at";

  /**
   * Annotation of a volume: uid of its claim, to which it was never bound. Its storage survives the
   * claim.
   */
  public static final String NEVER_BOUND = "mooring.dev/never-bound";

  public static final String DESTROY = "destroy";

  /**
   * Tolerated difference between our clock and the API server's. A copy made within it is not
   * detected.
   */
  private static final long SKEW_SECONDS = 300;

  private VolumeOrigin() {}

  public static String formatCreationTime(Instant now) {
    return Instant.ofEpochSecond(now.getEpochSecond()).toString();
  }

  /**
   * Returns whether Mooring created this object for its claim. A restored or re-applied copy is
   * younger than its annotation; it may contain the claim's data.
   */
  public static boolean isOriginal(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && volume.meta().hasAnnotation(PROVISIONED_BY)
        && DriverNames.isOf(ref.uid(), volume.meta().name())
        && Math.abs(volume.meta().created() - recordedCreation(volume)) <= SKEW_SECONDS;
  }

  private static long recordedCreation(Volume volume) {
    try {
      return Instant.parse(volume.meta().annotation(MADE_AT)).getEpochSecond();
    } catch (DateTimeException e) {
      return Long.MIN_VALUE / 2; // no annotation; far from any creation time
    }
  }

  public static boolean isMarkedNeverBound(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null
        && !ref.uid().isNone()
        && volume.meta().annotation(NEVER_BOUND).equals(ref.uid().toString());
  }

  public static boolean isToBeDestroyed(Volume volume) {
    return volume.meta().annotation(NEVER_BOUND).equals(DESTROY);
  }

  public static boolean isDisposable(Volume volume) {
    return volume.meta().hasAnnotation(PROVISIONED_BY)
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE;
  }

  /**
   * Returns whether a provisioner created the volume for this claim: it derived the name from the
   * claim and wrote the claimRef itself.
   */
  public static boolean isMadeFor(Volume volume, Uid claim) {
    return volume.meta().hasAnnotation(PROVISIONED_BY)
        && !volume.meta().hasAnnotation(BOUND_BY_CONTROLLER)
        && DriverNames.isOf(claim, volume.meta().name());
  }
}
