package dev.mooring.provisioner.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.VolumeOrigin;
import java.util.List;
import java.util.Optional;

/** Decides whether the storage of a deleted PersistentVolume must be gone. */
public final class DeletedVolumeRules {
  private DeletedVolumeRules() {}

  /**
   * Returns whether the storage should have been destroyed: Mooring created the object, its claim
   * was gone, its policy was Delete, and the watch showed its last state.
   */
  public static boolean mustStorageBeGone(Volume last, boolean isFoundByList) {
    return !isFoundByList
        && last.reclaimPolicy() == ReclaimPolicy.DELETE
        && (last.phase() == VolumePhase.RELEASED || last.phase() == VolumePhase.FAILED)
        && VolumeOrigin.isOriginal(last);
  }

  public static boolean isNeededAgain(Volume last, Optional<Claim> claim, List<Volume> volumes) {
    ClaimRef ref = last.claimRef();
    return ref != null && claim.filter(c -> c.meta().uid().equals(ref.uid())).isPresent()
        || volumes.stream().anyMatch(volume -> volume.source().equals(last.source()));
  }
}
