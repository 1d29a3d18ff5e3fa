package dev.mooring.storage.decide;

import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;

/** What a volume says about how it came to be. */
public final class VolumeOrigin {
  /** On a volume: which provisioner made it. */
  public static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  /** On a volume: the binder, not a user or provisioner, wrote its claimRef. */
  public static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

  private VolumeOrigin() {}

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
