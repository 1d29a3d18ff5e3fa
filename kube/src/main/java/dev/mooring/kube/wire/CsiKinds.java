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

  static CsiNode csiNode(WireReader in) throws IOException {
    Meta meta = MetaDecoder.none();
    List<CsiNode.Driver> drivers = new ArrayList<>();
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.read(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> {
          for (int f = in.open(CsiNodeSpec.ALL); f != 0; f = in.next(CsiNodeSpec.ALL)) {
            if (f == CsiNodeSpec.DRIVERS) {
              drivers.add(driver(in));
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

  private static CsiNode.Driver driver(WireReader in) throws IOException {
    String name = "";
    String id = "";
    List<String> keys = new ArrayList<>();
    int limit = -1;
    for (int field = in.open(CsiNodeDriver.ALL); field != 0; field = in.next(CsiNodeDriver.ALL)) {
      switch (field) {
        case CsiNodeDriver.NAME -> name = in.shared();
        case CsiNodeDriver.NODE_ID -> id = in.text();
        case CsiNodeDriver.TOPOLOGY_KEYS -> keys.add(in.shared());
        case CsiNodeDriver.ALLOCATABLE -> {
          for (int f = in.open(Allocatable.ALL); f != 0; f = in.next(Allocatable.ALL)) {
            if (f == Allocatable.COUNT) {
              limit = (int) in.number();
            } else {
              in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new CsiNode.Driver(name, id, WireReader.frozen(keys), limit);
  }

  static CsiDriver csiDriver(WireReader in) throws IOException {
    Meta meta = MetaDecoder.none();
    boolean attach = true;
    boolean capacity = false;
    boolean seLinux = false;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.read(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> {
          for (int f = in.open(CsiDriverSpec.ALL); f != 0; f = in.next(CsiDriverSpec.ALL)) {
            switch (f) {
              case CsiDriverSpec.ATTACH_REQUIRED -> attach = in.flag();
              case CsiDriverSpec.STORAGE_CAPACITY -> capacity = in.flag();
              case CsiDriverSpec.SE_LINUX_MOUNT -> seLinux = in.flag();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new CsiDriver(meta, attach, capacity, seLinux);
  }

  static StorageCapacity storageCapacity(WireReader in) throws IOException {
    Meta meta = MetaDecoder.none();
    LabelSelector nodeTopology = null;
    String storageClass = "";
    Quantity capacity = null;
    Quantity maximum = null;
    for (int field = in.next(CapacityFields.ALL); field != 0; field = in.next(CapacityFields.ALL)) {
      switch (field) {
        case CapacityFields.METADATA -> meta = MetaDecoder.read(in, RetainedFields.OF_CAPACITY);
        case CapacityFields.NODE_TOPOLOGY -> nodeTopology = VolumeKinds.selector(in);
        case CapacityFields.STORAGE_CLASS_NAME -> storageClass = in.shared();
        case CapacityFields.CAPACITY -> capacity = in.quantity();
        case CapacityFields.MAXIMUM_VOLUME_SIZE -> maximum = in.quantity();
        default -> in.skip();
      }
    }
    return new StorageCapacity(meta, nodeTopology, storageClass, capacity, maximum);
  }
}
