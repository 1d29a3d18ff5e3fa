package dev.mooring.binder.observe;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;

/** What a claim and a volume must have in common exactly. */
record Likes(String className, VolumeMode mode, String attributesClass) {
  static Likes of(Claim claim) {
    return new Likes(claim.className(), claim.volumeMode(), claim.attributesClass());
  }

  static Likes of(Volume volume) {
    return new Likes(volume.storageClass(), volume.volumeMode(), volume.attributesClass());
  }

  /** Whether a volume that has this in common with a claim suits it. */
  static boolean suits(Claim claim, Volume volume) {
    return volume.storage().covers(claim.request())
        && volume.accessModes().offers(claim.accessModes())
        && (claim.selector() == null || claim.selector().matches(volume.meta().labels()));
  }
}
