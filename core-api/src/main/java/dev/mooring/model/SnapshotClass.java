package dev.mooring.model;

import java.util.List;
import java.util.Map;

/**
 * A VolumeSnapshotClass (snapshot.storage.k8s.io/v1).
 *
 * @param meta name, uid and the annotation of a default class
 * @param driver name of the CSI driver
 * @param parameters parameters for the driver and names of Secrets
 * @param policy whether the driver's snapshot is deleted with its content
 * @param allowedTopologies locations of the snapshots: each term maps label keys to permitted
 *     values; empty for no restriction
 */
public record SnapshotClass(
    Meta meta,
    String driver,
    Map<String, String> parameters,
    ReclaimPolicy policy,
    List<Map<String, List<String>>> allowedTopologies)
    implements Resource {
  public static final String DEFAULT = "snapshot.storage.kubernetes.io/is-default-class";

  public boolean isDefault() {
    return meta.annotation(DEFAULT).equals("true");
  }
}
