package dev.mooring.model;

import java.util.Map;

/**
 * A VolumeGroupSnapshotClass (groupsnapshot.storage.k8s.io/v1).
 *
 * @param meta name, uid, and the mark of a default
 * @param driver the driver's name
 * @param parameters what the driver is told, and which Secrets hold credentials
 * @param policy what becomes of the driver's groups with their contents
 */
public record GroupSnapshotClass(
    Meta meta, String driver, Map<String, String> parameters, ReclaimPolicy policy)
    implements Resource {
  /** The annotation that marks a default. */
  public static final String DEFAULT = "groupsnapshot.storage.kubernetes.io/is-default-class";

  /** Whether groups of the driver's volumes that name no class get this one. */
  public boolean isDefault() {
    return meta.annotation(DEFAULT).equals("true");
  }
}
