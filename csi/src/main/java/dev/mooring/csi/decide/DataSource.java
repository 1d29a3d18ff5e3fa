package dev.mooring.csi.decide;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import java.util.Optional;

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

  /** VolumeSnapshots. */
  public static final Kind<PartialObject> SNAPSHOT =
      new Kind<>(SNAPSHOTS, "v1", "volumesnapshots", "VolumeSnapshot", true, PartialObject.class);

  /** What a claim of another namespace writes to name the source. */
  static DataSource of(CloneSource source) {
    String namespace = source.key().namespace();
    String name = source.key().name();
    return switch (source.type()) {
      case CLAIM -> new DataSource("", "PersistentVolumeClaim", namespace, name);
      case SNAPSHOT -> new DataSource(SNAPSHOTS, "VolumeSnapshot", namespace, name);
    };
  }

  /** Whether it is another claim. */
  public boolean isClaim() {
    return group.isEmpty() && kind.equals("PersistentVolumeClaim");
  }

  /** Whether it is a VolumeSnapshot. */
  public boolean isSnapshot() {
    return group.equals(SNAPSHOTS) && kind.equals("VolumeSnapshot");
  }

  /** What is held for a claim of that namespace; empty if that cannot be, or is not ours. */
  public Optional<CloneSource> copySource(String claimNamespace) {
    ObjectKey key = key(claimNamespace);
    if (!key.flaw().isEmpty()) {
      return Optional.empty();
    }
    if (isClaim()) {
      return Optional.of(new CloneSource(CloneSource.Type.CLAIM, key));
    }
    return isSnapshot()
        ? Optional.of(new CloneSource(CloneSource.Type.SNAPSHOT, key))
        : Optional.empty();
  }

  /** Its key, seen from a claim of that namespace. */
  public ObjectKey key(String claimNamespace) {
    return new ObjectKey(namespace.isEmpty() ? claimNamespace : namespace, name);
  }
}
