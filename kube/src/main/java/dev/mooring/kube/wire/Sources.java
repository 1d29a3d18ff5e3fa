package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
import dev.mooring.model.VolumeSource;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What volumes are made of: the members of PersistentVolumeSource and of a pod's VolumeSource. */
final class Sources {
  static final Fields OF_VOLUME =
      Fields.of(
          1,
          "gcePersistentDisk",
          2,
          "awsElasticBlockStore",
          3,
          "hostPath",
          4,
          "glusterfs",
          5,
          "nfs",
          6,
          "rbd",
          7,
          "iscsi",
          8,
          "cinder",
          9,
          "cephfs",
          10,
          "fc",
          11,
          "flocker",
          12,
          "flexVolume",
          13,
          "azureFile",
          14,
          "vsphereVolume",
          15,
          "quobyte",
          16,
          "azureDisk",
          17,
          "photonPersistentDisk",
          18,
          "portworxVolume",
          19,
          "scaleIO",
          20,
          "local",
          21,
          "storageos",
          22,
          "csi");

  /** Of a pod's own volumes those that may have to be attached. */
  static final Fields OF_POD =
      Fields.of(
          3,
          "gcePersistentDisk",
          4,
          "awsElasticBlockStore",
          8,
          "iscsi",
          13,
          "cinder",
          17,
          "fc",
          18,
          "azureFile",
          20,
          "vsphereVolume",
          22,
          "azureDisk",
          24,
          "portworxVolume");

  /** The plain attributes of the sources that anybody here reads. */
  private static final Map<String, Fields> ATTRIBUTES =
      Map.ofEntries(
          Map.entry("hostPath", Fields.of(1, "path", 2, "type")),
          Map.entry("local", Fields.of(1, "path", 2, "fsType")),
          Map.entry("nfs", Fields.of(1, "server", 2, "path")),
          Map.entry("csi", Fields.of(1, "driver", 2, "volumeHandle", 4, "fsType")),
          Map.entry(
              "gcePersistentDisk",
              Fields.of(1, "pdName", 2, "fsType", 3, "partition", 4, "readOnly")),
          Map.entry(
              "awsElasticBlockStore",
              Fields.of(1, "volumeID", 2, "fsType", 3, "partition", 4, "readOnly")),
          Map.entry(
              "azureDisk",
              Fields.of(
                  1,
                  "diskName",
                  2,
                  "diskURI",
                  3,
                  "cachingMode",
                  4,
                  "fsType",
                  5,
                  "readOnly",
                  6,
                  "kind")),
          Map.entry(
              "azureFile",
              Fields.of(1, "secretName", 2, "shareName", 3, "readOnly", 4, "secretNamespace")),
          Map.entry("cinder", Fields.of(1, "volumeID", 2, "fsType", 3, "readOnly")),
          Map.entry(
              "vsphereVolume", Fields.of(1, "volumePath", 2, "fsType", 3, "storagePolicyName")),
          Map.entry("portworxVolume", Fields.of(1, "volumeID", 2, "fsType", 3, "readOnly")),
          Map.entry("fc", Fields.of(1, "targetWWNs", 2, "lun", 5, "wwids")),
          Map.entry("flexVolume", Fields.of(1, "driver", 2, "fsType")),
          Map.entry("iscsi", Fields.of(1, "targetPortal", 2, "iqn", 3, "lun")));

  private static final Set<String> NUMBERS = Set.of("partition", "lun");

  /** What many volumes have in common. */
  private static final Set<String> OF_FEW = Set.of("driver", "fsType", "kind", "server");

  private Sources() {}

  /** Reads the value of such a member. */
  static VolumeSource read(Wire in, String type) throws IOException {
    Fields wanted = ATTRIBUTES.get(type);
    if (wanted == null) {
      in.skip();
      return new VolumeSource(type, Map.of());
    }
    Map<String, String> attributes = new HashMap<>();
    for (int field = in.open(wanted); field != 0; field = in.next(wanted)) {
      String name = wanted.name(field);
      if (NUMBERS.contains(name)) {
        attributes.put(name, Long.toString(in.number()));
      } else if (name.equals("readOnly")) {
        if (in.flag()) {
          attributes.put(name, "true");
        }
      } else if (!name.isEmpty()) {
        String value = OF_FEW.contains(name) ? in.shared() : in.text();
        if (!value.isEmpty()) {
          attributes.merge(name, value, (before, next) -> before + " " + next);
        }
      } else {
        in.skip();
      }
    }
    return new VolumeSource(type, Wire.frozen(attributes));
  }
}
