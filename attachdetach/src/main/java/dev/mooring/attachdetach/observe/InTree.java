package dev.mooring.attachdetach.observe;

import dev.mooring.model.Migration;
import dev.mooring.model.VolumeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * In-tree volumes as the CSI drivers know them that serve them now. The forms of the handles are
 * Kubernetes' (csi-translation-lib).
 */
final class InTree {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String REGION_SEPARATOR = "__";
  private static final String UNSPECIFIED = "UNSPECIFIED";

  /** An inline volume as its driver knows it: its title and the specification to attach by. */
  record Inline(String title, VolumeSource source, Map<String, Object> spec) {}

  private InTree() {}

  /** A PersistentVolume's source as a CSI source; itself if it is no migrated in-tree one. */
  static VolumeSource translate(VolumeSource source, Map<String, String> labels) {
    return handle(source, labels)
        .map(handle -> VolumeSource.csi(Migration.driverOf(Migration.pluginOf(source)), handle))
        .orElse(source);
  }

  private static Optional<String> handle(VolumeSource source, Map<String, String> labels) {
    return switch (source.type()) {
      case "awsElasticBlockStore" -> id(source, "volumeID").map(InTree::lastSegment);
      case "gcePersistentDisk" -> id(source, "pdName").map(name -> disk(name, labels));
      case "cinder", "portworxVolume" -> id(source, "volumeID");
      case "azureDisk" -> id(source, "diskURI");
      case "vsphereVolume" -> id(source, "volumePath");
      default -> Optional.empty();
    };
  }

  /** Without one nothing is attached: all volumes that lack it would be taken for the same. */
  private static Optional<String> id(VolumeSource source, String attribute) {
    return Optional.of(source.attribute(attribute)).filter(id -> !id.isEmpty());
  }

  /** {@code aws://zone/vol-1} and {@code vol-1} are one volume. */
  private static String lastSegment(String volume) {
    return volume.startsWith("aws://") ? volume.substring(volume.lastIndexOf('/') + 1) : volume;
  }

  private static String disk(String name, Map<String, String> labels) {
    String zone = labels.getOrDefault(ZONE, labels.getOrDefault(OLD_ZONE, UNSPECIFIED));
    if (zone.contains(REGION_SEPARATOR)) {
      String first = zone.substring(0, zone.indexOf(REGION_SEPARATOR));
      int dash = first.lastIndexOf('-');
      String region = dash > 0 ? first.substring(0, dash) : first;
      return "projects/" + UNSPECIFIED + "/regions/" + region + "/disks/" + name;
    }
    return "projects/" + UNSPECIFIED + "/zones/" + zone + "/disks/" + name;
  }

  /** A volume that stands in a pod, if it is a migrated in-tree one. */
  static Optional<Inline> inline(VolumeSource source) {
    Optional<String> handle = handle(source, Map.of());
    if (handle.isEmpty()) {
      return Optional.empty();
    }
    String driver = Migration.driverOf(Migration.pluginOf(source));
    Map<String, Object> csi = new LinkedHashMap<>();
    csi.put("driver", driver);
    csi.put("volumeHandle", handle.get());
    boolean readOnly = source.attribute("readOnly").equals("true");
    if (readOnly) {
      csi.put("readOnly", true);
    }
    if (!source.attribute("fsType").isEmpty()) {
      csi.put("fsType", source.attribute("fsType"));
    }
    Map<String, Object> attributes = attributes(source);
    if (!attributes.isEmpty()) {
      csi.put("volumeAttributes", attributes);
    }
    boolean shared = readOnly && source.type().equals("gcePersistentDisk");
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("accessModes", List.of(shared ? "ReadOnlyMany" : "ReadWriteOnce"));
    spec.put("csi", csi);
    spec.put("volumeMode", "Filesystem");
    return Optional.of(
        new Inline(driver + "-" + named(source), VolumeSource.csi(driver, handle.get()), spec));
  }

  private static String named(VolumeSource source) {
    return switch (source.type()) {
      case "gcePersistentDisk" -> source.attribute("pdName");
      case "azureDisk" -> source.attribute("diskName");
      case "vsphereVolume" -> source.attribute("volumePath");
      default -> source.attribute("volumeID");
    };
  }

  private static Map<String, Object> attributes(VolumeSource source) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    switch (source.type()) {
      case "awsElasticBlockStore" ->
          attributes.put("partition", source.attributes().getOrDefault("partition", "0"));
      case "gcePersistentDisk" -> attributes.put("partition", source.attribute("partition"));
      case "azureDisk" -> {
        attributes.put("kind", "Managed");
        copy(source, "cachingMode", attributes, "cachingMode");
        copy(source, "fsType", attributes, "fsType");
      }
      case "vsphereVolume" -> {
        attributes.put("initialvolumefilepath", source.attribute("volumePath"));
        copy(source, "storagePolicyName", attributes, "storagepolicyname");
      }
      default -> {}
    }
    return attributes;
  }

  private static void copy(
      VolumeSource source, String from, Map<String, Object> into, String name) {
    if (!source.attribute(from).isEmpty()) {
      into.put(name, source.attribute(from));
    }
  }
}
