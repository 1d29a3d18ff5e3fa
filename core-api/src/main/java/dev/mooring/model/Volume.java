package dev.mooring.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PersistentVolume.
 *
 * @param meta name, uid, version, labels, annotations, finalizers
 * @param capacity every resource of spec.capacity; storage is {@link #storage()}
 * @param source what the volume is made of
 * @param accessModes the modes it offers
 * @param claimRef the claim it belongs to or is reserved for; null if free
 * @param reclaimPolicy what becomes of it when the claim is gone
 * @param storageClass the class by annotation or field, "" for none
 * @param volumeMode Filesystem or Block
 * @param attributesClass spec.volumeAttributesClassName, "" for none
 * @param status phase, message and reason
 * @param nodeAffinity the nodes from which it can be reached
 */
public record Volume(
    Meta meta,
    Map<String, Quantity> capacity,
    VolumeSource source,
    AccessModes accessModes,
    @Nullable ClaimRef claimRef,
    ReclaimPolicy reclaimPolicy,
    String storageClass,
    VolumeMode volumeMode,
    String attributesClass,
    Status status,
    NodeAffinity nodeAffinity)
    implements Resource {

  /** One that every node can reach: what plugins were compiled against. */
  public Volume(
      Meta meta,
      Map<String, Quantity> capacity,
      VolumeSource source,
      AccessModes accessModes,
      @Nullable ClaimRef claimRef,
      ReclaimPolicy reclaimPolicy,
      String storageClass,
      VolumeMode volumeMode,
      String attributesClass,
      Status status) {
    this(
        meta,
        capacity,
        source,
        accessModes,
        claimRef,
        reclaimPolicy,
        storageClass,
        volumeMode,
        attributesClass,
        status,
        NodeAffinity.NONE);
  }

  /**
   * What the controllers last said of the volume.
   *
   * @param phase the phase
   * @param message why, for people; "" for none
   * @param reason why, in a word; "" for none
   */
  public record Status(VolumePhase phase, String message, String reason) {}

  /**
   * Mount options etc. are not modelled: nothing here depends on them. The storage capacity, or
   * zero.
   */
  public Quantity storage() {
    return capacity.getOrDefault("storage", Quantity.ZERO);
  }

  /** The phase. */
  public VolumePhase phase() {
    return status.phase();
  }

  /** Finalizers, in order. */
  public List<String> finalizers() {
    return meta.finalizers();
  }
}
