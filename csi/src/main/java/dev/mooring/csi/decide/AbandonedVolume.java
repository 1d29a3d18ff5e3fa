package dev.mooring.csi.decide;

import dev.mooring.model.ClaimRef;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;

/**
 * A driver's volume that no object of this cluster needs any more: it must vanish from the driver's
 * list.
 *
 * @param handle the driver's id
 * @param volume name of its last PersistentVolume
 * @param uid uid of that object; {@link Uid#NONE} if the volume was never saved
 * @param claim uid of its claim; {@link Uid#NONE} if none
 * @param storageClass name of its class; "" if none
 * @param bytes capacity
 * @param isDeleted whether the driver confirmed its deletion
 * @param sightings number of consecutive lists that had it
 */
public record AbandonedVolume(
    String handle,
    String volume,
    Uid uid,
    Uid claim,
    String storageClass,
    long bytes,
    boolean isDeleted,
    int sightings) {
  // lists in a row after which a volume without a confirmed deletion is orphaned
  public static final int QUARANTINE = 3;

  public static AbandonedVolume of(Volume volume, String handle, boolean isDeleted) {
    ClaimRef ref = volume.claimRef();
    return new AbandonedVolume(
        handle,
        volume.meta().name(),
        volume.meta().uid(),
        ref == null ? Uid.NONE : ref.uid(),
        volume.storageClass(),
        volume.storage().toBytesCeiling(),
        isDeleted,
        0);
  }

  // a created volume that was not saved, and whose deletion is confirmed
  public static AbandonedVolume ofUnsaved(
      String handle, String volumeName, Uid claim, String storageClass, long bytes) {
    return new AbandonedVolume(handle, volumeName, Uid.NONE, claim, storageClass, bytes, true, 0);
  }

  AbandonedVolume withSightings(int newSightings) {
    return new AbandonedVolume(
        handle, volume, uid, claim, storageClass, bytes, isDeleted, newSightings);
  }

  public boolean isOrphaned() {
    return sightings >= (isDeleted ? 1 : QUARANTINE);
  }

  public String describe(String driver) {
    return isDeleted
        ? "CSI driver %s confirmed the deletion of volume %s (PersistentVolume %s), but still lists it: delete it at the provider, unless another cluster uses it"
            .formatted(driver, handle, volume)
        : "CSI driver %s still lists volume %s, whose PersistentVolume %s vanished without a deletion of the storage: delete it at the provider, unless another cluster uses it"
            .formatted(driver, handle, volume);
  }
}
