package dev.mooring.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PersistentVolumeClaim.
 *
 * @param meta name, uid, version, labels, annotations, finalizers
 * @param accessModes the modes it asks for
 * @param request spec.resources.requests[storage], zero if absent
 * @param storageClass the class by annotation or field; null when it names none at all, "" when it
 *     asks for none
 * @param volumeName the volume it names or is bound to, "" for none
 * @param volumeMode Filesystem or Block
 * @param selector a choice among volumes by label; null for none
 * @param attributesClass spec.volumeAttributesClassName, "" for none
 * @param hasDataSource whether spec.dataSource is set
 * @param status phase, modes, capacity
 */
public record Claim(
    Meta meta,
    AccessModes accessModes,
    Quantity request,
    @Nullable String storageClass,
    String volumeName,
    VolumeMode volumeMode,
    @Nullable LabelSelector selector,
    String attributesClass,
    boolean hasDataSource,
    Status status)
    implements Resource {

  /**
   * What the claim was given.
   *
   * @param phase the phase
   * @param accessModes the bound volume's modes
   * @param capacity the bound volume's capacity
   * @param attributesClass status.currentVolumeAttributesClassName, "" for none
   * @param targetAttributesClass status.modifyVolumeStatus.targetVolumeAttributesClassName, "" for
   *     none
   */
  public record Status(
      ClaimPhase phase,
      List<String> accessModes,
      Map<String, Quantity> capacity,
      String attributesClass,
      String targetAttributesClass) {

    /** Of a claim whose class is not being changed. */
    public Status(
        ClaimPhase phase,
        List<String> accessModes,
        Map<String, Quantity> capacity,
        String attributesClass) {
      this(phase, accessModes, capacity, attributesClass, "");
    }
  }

  /** The class that matching compares: "" where the claim names none. */
  public String className() {
    return storageClass == null ? "" : storageClass;
  }

  /** The phase. */
  public ClaimPhase phase() {
    return status.phase();
  }
}
