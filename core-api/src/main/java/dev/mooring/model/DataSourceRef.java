package dev.mooring.model;

/**
 * Reference of a claim to the object that its volume is filled from: {@code spec.dataSourceRef}.
 *
 * @param group API group; "" for core
 * @param kind kind of the object
 * @param namespace namespace of the object; "" for the claim's namespace
 * @param name name of the object
 */
public record DataSourceRef(String group, String kind, String namespace, String name) {
  public boolean isClaim() {
    return group.isEmpty() && kind.equals("PersistentVolumeClaim");
  }

  public boolean isSnapshot() {
    return group.equals("snapshot.storage.k8s.io") && kind.equals("VolumeSnapshot");
  }

  /** Returns whether a populator fills the volume, because no provisioner knows the kind. */
  public boolean needsPopulator() {
    return !isClaim() && !isSnapshot();
  }

  public ObjectKey key(String claimNamespace) {
    return new ObjectKey(namespace.isEmpty() ? claimNamespace : namespace, name);
  }

  /** Returns kind and group as kubectl writes them: {@code Disk.example.com}. */
  public String kindName() {
    return group.isEmpty() ? kind : kind + "." + group;
  }
}
