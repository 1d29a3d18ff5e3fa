package dev.mooring.csi.decide;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.PartialObject;
import java.util.Optional;

/**
 * Source of a claim's data: {@code spec.dataSource}, else {@code spec.dataSourceRef}.
 *
 * @param group the API group; "" for core
 * @param kind the kind as written in the claim
 * @param namespace "" for the claim's namespace
 */
public record DataSource(String group, String kind, String namespace, String name) {
  public static final String SNAPSHOT_GROUP = "snapshot.storage.k8s.io";

  public static final Kind<PartialObject> SNAPSHOT =
      new Kind<>(
          SNAPSHOT_GROUP, "v1", "volumesnapshots", "VolumeSnapshot", true, PartialObject.class);

  // Returns the reference that a claim of another namespace writes to name the source.
  static DataSource of(CloneSource source) {
    String namespace = source.key().namespace();
    String name = source.key().name();
    return switch (source.type()) {
      case CLAIM -> new DataSource("", "PersistentVolumeClaim", namespace, name);
      case SNAPSHOT -> new DataSource(SNAPSHOT_GROUP, "VolumeSnapshot", namespace, name);
    };
  }

  public boolean isClaim() {
    return group.isEmpty() && kind.equals("PersistentVolumeClaim");
  }

  public boolean isSnapshot() {
    return group.equals(SNAPSHOT_GROUP) && kind.equals("VolumeSnapshot");
  }

  public Optional<CloneSource> toCloneSource(String claimNamespace) {
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

  public ObjectKey key(String claimNamespace) {
    return new ObjectKey(namespace.isEmpty() ? claimNamespace : namespace, name);
  }
}
