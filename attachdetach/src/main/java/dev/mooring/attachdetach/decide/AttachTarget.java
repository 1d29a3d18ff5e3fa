package dev.mooring.attachdetach.decide;

import dev.mooring.model.VolumeSource;
import java.util.Map;

/**
 * Volume that a pod uses and that must be attached.
 *
 * @param id unique name; several PersistentVolumes may address one volume
 * @param title name in messages
 * @param exclusive whether only one node at a time may have it
 * @param persistentVolume name of the PersistentVolume; "" for a volume inline in a pod
 * @param source address of the volume; for an in-tree volume, the address for its CSI driver
 * @param inlineSpec spec for the VolumeAttachment of an inline volume
 * @param migrated whether a CSI driver serves this in-tree volume
 */
public record AttachTarget(
    VolumeId id,
    String title,
    boolean exclusive,
    String persistentVolume,
    VolumeSource source,
    Map<String, Object> inlineSpec,
    boolean migrated) {
  public AttachTarget(
      VolumeId id,
      String title,
      boolean exclusive,
      String persistentVolume,
      VolumeSource source,
      Map<String, Object> inlineSpec) {
    this(id, title, exclusive, persistentVolume, source, inlineSpec, false);
  }

  public AttachTarget withExclusive(boolean isExclusive) {
    return isExclusive == exclusive
        ? this
        : new AttachTarget(id, title, isExclusive, persistentVolume, source, inlineSpec, migrated);
  }

  // no claim authorizes the use of an inline volume
  public boolean isInline() {
    return persistentVolume.isEmpty();
  }
}
