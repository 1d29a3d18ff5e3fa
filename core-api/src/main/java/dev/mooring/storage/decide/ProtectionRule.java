package dev.mooring.storage.decide;

import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;

/** When volume protection may remove its finalizer. */
public final class ProtectionRule {
  public static final String FINALIZER = "kubernetes.io/pv-protection";

  private ProtectionRule() {}

  /**
   * Returns whether the finalizer may be removed. Only a write to this version of the volume may
   * remove it, because a concurrent binding must make that write fail.
   */
  public static boolean isReleasable(Volume volume) {
    return volume.meta().isBeingDeleted()
        && volume.finalizers().contains(FINALIZER)
        && volume.phase() != VolumePhase.BOUND;
  }
}
