package dev.mooring.model;

import java.util.Map;

/**
 * A VolumeSnapshotClass (snapshot.storage.k8s.io/v1).
 *
 * @param meta name, uid and the annotation of a default class
 * @param driver name of the CSI driver
 * @param parameters parameters for the driver and names of Secrets
 * @param policy whether the driver's snapshot is deleted with its content
 */
public record SnapshotClass(
    Meta meta, String driver, Map<String, String> parameters, ReclaimPolicy policy)
    implements Resource {
  public static final String DEFAULT = "snapshot.storage.kubernetes.io/is-default-class";

  public boolean isDefault() {
    return meta.annotation(DEFAULT).equals("true");
  }
}
