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
  private static final List<String> HOW = List.of("readOnly", "fsType", "type");

  private VolumeIdentity() {}

  public static Optional<String> of(Volume volume) {
    VolumeSource source = volume.source();
    if (source.type().isEmpty()) {
      return Optional.empty();
    }
    if (source.type().equals("csi")) {
      return csi(source.attribute("driver"), source.attribute("volumeHandle"));
    }
    String driver = CsiMigration.driverOf(CsiMigration.pluginOf(source));
    Optional<String> handle =
        driver.isEmpty() ? Optional.empty() : DriverVolumes.handle(volume, driver);
    return handle.isPresent() ? csi(driver, handle.get()) : inTree(source);
  }

  private static Optional<String> csi(String driver, String handle) {
    return driver.isEmpty() || handle.isEmpty()
        ? Optional.empty()
        : Optional.of("csi " + driver + " " + handle);
  }

  private static Optional<String> inTree(VolumeSource source) {
    Map<String, String> what = new TreeMap<>(source.attributes());
    HOW.forEach(what::remove);
    what.computeIfPresent("path", (name, path) -> canonical(path));
    String type = source.type().equals("local") ? "hostPath" : source.type();
    return what.isEmpty() ? Optional.empty() : Optional.of(type + " " + what);
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

  public static boolean areTwins(Volume one, Volume other) {
    return !one.meta().uid().equals(other.meta().uid())
        && of(one).isPresent()
        && of(one).equals(of(other))
        && !areApart(one, other);
  }

  // Returns whether the volumes are directories with the same path on different nodes.
  private static boolean areApart(Volume one, Volume other) {
    return !one.source().type().equals("csi")
        && !one.nodeAffinity().equals(NodeAffinity.NONE)
        && !other.nodeAffinity().equals(NodeAffinity.NONE)
        && !one.nodeAffinity().equals(other.nodeAffinity());
  }
}
