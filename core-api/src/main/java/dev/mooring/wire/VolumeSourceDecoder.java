package dev.mooring.wire;

import dev.mooring.model.VolumeSource;
import dev.mooring.wire.WireReader.Fields;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

final class VolumeSourceDecoder {
  static final Fields OF_VOLUME =
      Fields.of(1, "gcePersistentDisk")
          .and(2, "awsElasticBlockStore")
          .and(3, "hostPath")
          .and(4, "glusterfs")
          .and(5, "nfs")
          .and(6, "rbd")
          .and(7, "iscsi")
          .and(8, "cinder")
          .and(9, "cephfs")
          .and(10, "fc")
          .and(11, "flocker")
          .and(12, "flexVolume")
          .and(13, "azureFile")
          .and(14, "vsphereVolume")
          .and(15, "quobyte")
          .and(16, "azureDisk")
          .and(17, "photonPersistentDisk")
          .and(18, "portworxVolume")
          .and(19, "scaleIO")
          .and(20, "local")
          .and(21, "storageos")
          .and(22, "csi");

  static final Fields OF_POD =
      Fields.of(3, "gcePersistentDisk")
          .and(4, "awsElasticBlockStore")
          .and(8, "iscsi")
          .and(13, "cinder")
          .and(17, "fc")
          .and(18, "azureFile")
          .and(20, "vsphereVolume")
          .and(22, "azureDisk")
          .and(24, "portworxVolume");

  private static final Map<String, Fields> ATTRIBUTES =
      Map.ofEntries(
          Map.entry("hostPath", Fields.of(1, "path").and(2, "type")),
          Map.entry("local", Fields.of(1, "path").and(2, "fsType")),
          Map.entry("nfs", Fields.of(1, "server").and(2, "path")),
          Map.entry("csi", Fields.of(1, "driver").and(2, "volumeHandle").and(4, "fsType")),
          Map.entry(
              "gcePersistentDisk",
              Fields.of(1, "pdName").and(2, "fsType").and(3, "partition").and(4, "readOnly")),
          Map.entry(
              "awsElasticBlockStore",
              Fields.of(1, "volumeID").and(2, "fsType").and(3, "partition").and(4, "readOnly")),
          Map.entry(
              "azureDisk",
              Fields.of(1, "diskName")
                  .and(2, "diskURI")
                  .and(3, "cachingMode")
                  .and(4, "fsType")
                  .and(5, "readOnly")
                  .and(6, "kind")),
          Map.entry(
              "azureFile",
              Fields.of(1, "secretName")
                  .and(2, "shareName")
                  .and(3, "readOnly")
                  .and(4, "secretNamespace")),
          Map.entry("cinder", Fields.of(1, "volumeID").and(2, "fsType").and(3, "readOnly")),
          Map.entry(
              "vsphereVolume",
              Fields.of(1, "volumePath").and(2, "fsType").and(3, "storagePolicyName")),
          Map.entry("portworxVolume", Fields.of(1, "volumeID").and(2, "fsType").and(3, "readOnly")),
          Map.entry("fc", Fields.of(1, "targetWWNs").and(2, "lun").and(5, "wwids")),
          Map.entry("flexVolume", Fields.of(1, "driver").and(2, "fsType")),
          Map.entry("iscsi", Fields.of(1, "targetPortal").and(2, "iqn").and(3, "lun")));

  private static final Set<String> NUMBER_ATTRIBUTES = Set.of("partition", "lun");

  // Attributes with few different values; shared between volumes.
  private static final Set<String> SHARED_ATTRIBUTES = Set.of("driver", "fsType", "kind", "server");

  private VolumeSourceDecoder() {}

  static <D> MessageFields<D> addTypes(
      MessageFields<D> message, Fields types, BiConsumer<D, VolumeSource> setter) {
    MessageFields<D> extended = message;
    for (Map.Entry<String, Integer> type : types.numbers().entrySet()) {
      String name = type.getKey();
      extended =
          extended.with(
              type.getValue(), name, (draft, in) -> setter.accept(draft, decode(in, name)));
    }
    return extended;
  }

  static VolumeSource decodeOfPod(WireReader in, int field) throws IOException {
    return decode(in, OF_POD.getName(field));
  }

  private static VolumeSource decode(WireReader in, String type) throws IOException {
    Fields fields = ATTRIBUTES.get(type);
    if (fields == null) {
      in.skip();
      return new VolumeSource(type, Map.of());
    }
    Map<String, String> attributes = new HashMap<>();
    for (int field = in.open(fields); field != 0; field = in.next(fields)) {
      String name = fields.getName(field);
      if (NUMBER_ATTRIBUTES.contains(name)) {
        attributes.put(name, Long.toString(in.readNumber()));
      } else if (name.equals("readOnly")) {
        if (in.readFlag()) {
          attributes.put(name, "true");
        }
      } else if (!name.isEmpty()) {
        String value = SHARED_ATTRIBUTES.contains(name) ? in.readSharedText() : in.readText();
        if (!value.isEmpty()) {
          attributes.merge(name, value, (before, next) -> before + " " + next);
        }
      } else {
        in.skip();
      }
    }
    return new VolumeSource(type, WireReader.freeze(attributes));
  }
}
