package dev.mooring.storage.decide;

import dev.mooring.model.CsiMigration;
import dev.mooring.model.NodeAffinity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSource;
import dev.mooring.model.migration.DriverVolumes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Identity of a volume's storage: driver and handle, or the in-tree source in canonical form. Two
 * PersistentVolumes may represent the same storage.
 */
public final class VolumeIdentity {
  // Mount options do not identify storage.
  private static final List<String> MOUNT_OPTIONS = List.of("readOnly", "fsType", "type");

  private VolumeIdentity() {}

  public static Optional<String> of(Volume volume) {
    VolumeSource source = volume.source();
    if (source.type().isEmpty()) {
      return Optional.empty();
    }
    if (source.type().equals("csi")) {
      return csiIdentity(source.attribute("driver"), source.attribute("volumeHandle"));
    }
    String driver = CsiMigration.driverOf(CsiMigration.pluginOf(source));
    Optional<String> handle =
        driver.isEmpty() ? Optional.empty() : DriverVolumes.handle(volume, driver);
    return handle.isPresent() ? csiIdentity(driver, handle.get()) : inTreeIdentity(source);
  }

  private static Optional<String> csiIdentity(String driver, String handle) {
    return driver.isEmpty() || handle.isEmpty()
        ? Optional.empty()
        : Optional.of("csi " + driver + " " + handle);
  }

  private static Optional<String> inTreeIdentity(VolumeSource source) {
    Map<String, String> attributes = new TreeMap<>(source.attributes());
    MOUNT_OPTIONS.forEach(attributes::remove);
    attributes.computeIfPresent("path", (name, path) -> canonical(path));
    String type = source.type().equals("local") ? "hostPath" : source.type();
    return attributes.isEmpty() ? Optional.empty() : Optional.of(type + " " + attributes);
  }

  // Removes . and ..; the cluster does not know symbolic links.
  private static String canonical(String path) {
    Deque<String> names = new ArrayDeque<>();
    for (String name : path.split("/")) {
      switch (name) {
        case "", "." -> {}
        case ".." -> names.pollLast();
        default -> names.addLast(name);
      }
    }
    return "/" + String.join("/", names);
  }

  public static boolean areTwins(Volume first, Volume second) {
    return !first.meta().uid().equals(second.meta().uid())
        && of(first).isPresent()
        && of(first).equals(of(second))
        && !areOnDifferentNodes(first, second);
  }

  // Returns whether the volumes are directories with the same path on different nodes.
  private static boolean areOnDifferentNodes(Volume first, Volume second) {
    return !first.source().type().equals("csi")
        && !first.nodeAffinity().equals(NodeAffinity.NONE)
        && !second.nodeAffinity().equals(NodeAffinity.NONE)
        && !first.nodeAffinity().equals(second.nodeAffinity());
  }
}
