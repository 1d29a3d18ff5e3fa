package dev.mooring.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PersistentVolume. Mount options are not modelled, because no decision depends on them.
 *
 * @param meta name, uid, version, labels, annotations, finalizers
 * @param capacity all resources of spec.capacity; {@link #storage()} returns storage
 * @param source source of the volume
 * @param accessModes supported access modes
 * @param claimRef claim that the volume is bound to or reserved for; null if none
 * @param reclaimPolicy action after the claim is deleted
 * @param storageClass class from the annotation or field; "" if none
 * @param volumeMode Filesystem or Block
 * @param attributesClass spec.volumeAttributesClassName; "" if none
 * @param status phase, message and reason
 * @param nodeAffinity nodes that can reach the volume
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

  /** Creates a volume that every node can reach. Kept for plugins compiled against it. */
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

  public record Status(VolumePhase phase, String message, String reason) {}

  /** Zero if absent. */
  public Quantity storage() {
    return capacity.getOrDefault("storage", Quantity.ZERO);
  }

  public VolumePhase phase() {
    return status.phase();
  }

  public List<String> finalizers() {
    return meta.finalizers();
  }
}
