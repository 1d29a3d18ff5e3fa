package dev.mooring.attachdetach.decide;

import dev.mooring.model.VolumeSource;
import java.util.Map;

/**
 * A volume that some pod uses and that must be attached for it.
 *
 * @param id its unique name; several PersistentVolumes may address one volume
 * @param title its name in messages
 * @param exclusive whether one node at a time may have it
 * @param persistentVolume the PersistentVolume, "" for one that stands in a pod
 * @param source how it is addressed, an in-tree volume as its CSI driver knows it
 * @param inlineSpec of one that stands in a pod, the specification for its VolumeAttachment
 * @param migrated whether it is an in-tree volume that a CSI driver serves
 */
public record AttachTarget(
    VolumeId id,
    String title,
    boolean exclusive,
    String persistentVolume,
    VolumeSource source,
    Map<String, Object> inlineSpec,
    boolean migrated) {
  /** One that is what it says. */
  public AttachTarget(
      VolumeId id,
      String title,
      boolean exclusive,
      String persistentVolume,
      VolumeSource source,
      Map<String, Object> inlineSpec) {
    this(id, title, exclusive, persistentVolume, source, inlineSpec, false);
  }

  public AttachTarget withExclusive(boolean now) {
    return now == exclusive
        ? this
        : new AttachTarget(id, title, now, persistentVolume, source, inlineSpec, migrated);
  }

  /** Whether it stands in a pod, so that no claim vouches for it. */
  public boolean isInline() {
    return persistentVolume.isEmpty();
  }
}
