package dev.mooring.csi.decide;

import dev.mooring.model.ObjectKey;

/**
 * What a claim's volume is to be filled with: {@code spec.dataSource}, else {@code
 * spec.dataSourceRef}.
 *
 * @param group the API group, "" for core
 * @param kind the kind as bodies spell it
 * @param namespace where it is, "" for the claim's own namespace
 * @param name its name
 */
public record DataSource(String group, String kind, String namespace, String name) {
  /** The group of snapshots. */
  public static final String SNAPSHOTS = "snapshot.storage.k8s.io";

  /** Whether it is another claim. */
  public boolean isClaim() {
    return group.isEmpty() && kind.equals("PersistentVolumeClaim");
  }

  /** Whether it is a VolumeSnapshot. */
  public boolean isSnapshot() {
    return group.equals(SNAPSHOTS) && kind.equals("VolumeSnapshot");
  }

  /** Its key, seen from a claim of that namespace. */
  public ObjectKey key(String claimNamespace) {
    return new ObjectKey(namespace.isEmpty() ? claimNamespace : namespace, name);
  }
}
