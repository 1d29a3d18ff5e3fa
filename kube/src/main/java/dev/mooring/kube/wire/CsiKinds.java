package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Meta;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class CsiKinds {
  private static final class CsiNodeSpec {
    static final int DRIVERS = 1;
    static final Fields ALL = Fields.of(DRIVERS, "drivers");
  }

  private static final class CsiNodeDriver {
    static final int NAME = 1;
    static final int NODE_ID = 2;
    static final int TOPOLOGY_KEYS = 3;
    static final int ALLOCATABLE = 4;
    static final Fields ALL =
        Fields.of(NAME, "name")
            .and(NODE_ID, "nodeID")
            .and(TOPOLOGY_KEYS, "topologyKeys")
            .and(ALLOCATABLE, "allocatable");
  }

  private static final class Allocatable {
    static final int COUNT = 1;
    static final Fields ALL = Fields.of(COUNT, "count");
  }

  private static final class CsiDriverSpec {
    static final int ATTACH_REQUIRED = 1;
    static final int STORAGE_CAPACITY = 4;
    static final int SE_LINUX_MOUNT = 8;
    static final Fields ALL =
        Fields.of(ATTACH_REQUIRED, "attachRequired")
            .and(STORAGE_CAPACITY, "storageCapacity")
            .and(SE_LINUX_MOUNT, "seLinuxMount");
  }

  private static final class CapacityFields {
    static final int METADATA = 1;
    static final int NODE_TOPOLOGY = 2;
    static final int STORAGE_CLASS_NAME = 3;
    static final int CAPACITY = 4;
    static final int MAXIMUM_VOLUME_SIZE = 5;
    static final Fields ALL =
        Fields.of(METADATA, "metadata")
            .and(NODE_TOPOLOGY, "nodeTopology")
            .and(STORAGE_CLASS_NAME, "storageClassName")
            .and(CAPACITY, "capacity")
            .and(MAXIMUM_VOLUME_SIZE, "maximumVolumeSize");
  }

  private CsiKinds() {}

  static CsiNode decodeCsiNode(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    List<CsiNode.Driver> drivers = new ArrayList<>();
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> {
          for (int f = in.open(CsiNodeSpec.ALL); f != 0; f = in.next(CsiNodeSpec.ALL)) {
            if (f == CsiNodeSpec.DRIVERS) {
              drivers.add(readDriver(in));
            } else {
              in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new CsiNode(meta, List.copyOf(drivers));
  }

  private static CsiNode.Driver readDriver(WireReader in) throws IOException {
    String name = "";
    String id = "";
    List<String> keys = new ArrayList<>();
    int limit = -1;
    for (int field = in.open(CsiNodeDriver.ALL); field != 0; field = in.next(CsiNodeDriver.ALL)) {
      switch (field) {
        case CsiNodeDriver.NAME -> name = in.readSharedText();
        case CsiNodeDriver.NODE_ID -> id = in.readText();
        case CsiNodeDriver.TOPOLOGY_KEYS -> keys.add(in.readSharedText());
        case CsiNodeDriver.ALLOCATABLE -> {
          for (int f = in.open(Allocatable.ALL); f != 0; f = in.next(Allocatable.ALL)) {
            if (f == Allocatable.COUNT) {
              limit = (int) in.readNumber();
            } else {
              in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new CsiNode.Driver(name, id, WireReader.freeze(keys), limit);
  }

  static CsiDriver decodeCsiDriver(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    boolean requiresAttach = true;
    boolean tracksCapacity = false;
    boolean mountsWithSeLinux = false;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> {
          for (int f = in.open(CsiDriverSpec.ALL); f != 0; f = in.next(CsiDriverSpec.ALL)) {
            switch (f) {
              case CsiDriverSpec.ATTACH_REQUIRED -> requiresAttach = in.readFlag();
              case CsiDriverSpec.STORAGE_CAPACITY -> tracksCapacity = in.readFlag();
              case CsiDriverSpec.SE_LINUX_MOUNT -> mountsWithSeLinux = in.readFlag();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new CsiDriver(meta, requiresAttach, tracksCapacity, mountsWithSeLinux);
  }

  static StorageCapacity decodeCapacity(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    LabelSelector nodeTopology = null;
    String storageClass = "";
    Quantity capacity = null;
    Quantity maximum = null;
    for (int field = in.next(CapacityFields.ALL); field != 0; field = in.next(CapacityFields.ALL)) {
      switch (field) {
        case CapacityFields.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.OF_CAPACITY);
        case CapacityFields.NODE_TOPOLOGY -> nodeTopology = VolumeKinds.readSelector(in);
        case CapacityFields.STORAGE_CLASS_NAME -> storageClass = in.readSharedText();
        case CapacityFields.CAPACITY -> capacity = in.readQuantity();
        case CapacityFields.MAXIMUM_VOLUME_SIZE -> maximum = in.readQuantity();
        default -> in.skip();
      }
    }
    return new StorageCapacity(meta, nodeTopology, storageClass, capacity, maximum);
  }
}
