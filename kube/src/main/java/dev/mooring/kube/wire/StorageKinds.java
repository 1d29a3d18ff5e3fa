package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
import dev.mooring.model.Attachment;
import dev.mooring.model.AttributesClass;
import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Lease;
import dev.mooring.model.Meta;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.StorageCapacity;
import dev.mooring.model.StorageClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The kinds of storage.k8s.io, and leases. */
final class StorageKinds {
  private static final Fields CLASS =
      Fields.of(1, "metadata")
          .and(2, "provisioner")
          .and(3, "parameters")
          .and(4, "reclaimPolicy")
          .and(5, "mountOptions")
          .and(6, "allowVolumeExpansion")
          .and(7, "volumeBindingMode")
          .and(8, "allowedTopologies");
  private static final Fields TOPOLOGY = Fields.of(1, "matchLabelExpressions");
  private static final Fields TOPOLOGY_TERM = Fields.of(1, "key").and(2, "values");
  private static final Fields OBJECT = Fields.of(1, "metadata").and(2, "spec").and(3, "status");
  private static final Fields ATTACHMENT_SPEC =
      Fields.of(1, "attacher").and(2, "source").and(3, "nodeName");
  private static final Fields ATTACHMENT_SOURCE = Fields.of(1, "persistentVolumeName");
  private static final Fields ATTACHMENT_STATUS =
      Fields.of(1, "attached").and(3, "attachError").and(4, "detachError");
  private static final Fields ERROR = Fields.of(2, "message");
  private static final Fields NODE_SPEC = Fields.of(1, "drivers");
  private static final Fields NODE_DRIVER =
      Fields.of(1, "name").and(2, "nodeID").and(3, "topologyKeys").and(4, "allocatable");
  private static final Fields ALLOCATABLE = Fields.of(1, "count");
  private static final Fields DRIVER_SPEC =
      Fields.of(1, "attachRequired").and(4, "storageCapacity").and(8, "seLinuxMount");
  private static final Fields CAPACITY =
      Fields.of(1, "metadata")
          .and(2, "nodeTopology")
          .and(3, "storageClassName")
          .and(4, "capacity")
          .and(5, "maximumVolumeSize");
  private static final Fields ATTRIBUTES =
      Fields.of(1, "metadata").and(2, "driverName").and(3, "parameters");
  private static final Fields LEASE =
      Fields.of(1, "holderIdentity")
          .and(2, "leaseDurationSeconds")
          .and(3, "acquireTime")
          .and(4, "renewTime")
          .and(5, "leaseTransitions");

  private StorageKinds() {}

  static StorageClass storageClass(Wire in) throws IOException {
    Meta meta = Metas.none();
    String provisioner = "";
    Map<String, String> parameters = new HashMap<>();
    ReclaimPolicy policy = ReclaimPolicy.DELETE;
    List<String> mountOptions = new ArrayList<>();
    StorageClass.Binding binding = StorageClass.Binding.UNSET;
    boolean grows = false;
    List<Map<String, List<String>>> topologies = new ArrayList<>();
    for (int field = in.next(CLASS); field != 0; field = in.next(CLASS)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.OF_CLASS);
        case 2 -> provisioner = in.shared();
        case 3 -> in.strings(parameters);
        case 4 -> policy = ReclaimPolicy.of(in.shared());
        case 5 -> mountOptions.add(in.text());
        case 6 -> grows = in.flag();
        case 7 ->
            binding =
                switch (in.shared()) {
                  case "Immediate" -> StorageClass.Binding.IMMEDIATE;
                  case "WaitForFirstConsumer" -> StorageClass.Binding.WAIT_FOR_FIRST_CONSUMER;
                  default -> StorageClass.Binding.UNSET;
                };
        case 8 -> topologies.add(topology(in));
        default -> in.skip();
      }
    }
    return new StorageClass(
        meta,
        provisioner,
        Wire.frozen(parameters),
        policy,
        Wire.frozen(mountOptions),
        binding,
        grows,
        List.copyOf(topologies));
  }

  private static Map<String, List<String>> topology(Wire in) throws IOException {
    Map<String, List<String>> term = new HashMap<>();
    for (int field = in.open(TOPOLOGY); field != 0; field = in.next(TOPOLOGY)) {
      if (field != 1) {
        in.skip();
        continue;
      }
      String key = "";
      List<String> values = new ArrayList<>();
      for (int f = in.open(TOPOLOGY_TERM); f != 0; f = in.next(TOPOLOGY_TERM)) {
        switch (f) {
          case 1 -> key = in.text();
          case 2 -> values.add(in.text());
          default -> in.skip();
        }
      }
      term.put(key, Wire.frozen(values));
    }
    return Wire.frozen(term);
  }

  static Attachment attachment(Wire in) throws IOException {
    Meta meta = Metas.none();
    String attacher = "";
    String volume = "";
    String node = "";
    boolean attached = false;
    String attachError = "";
    String detachError = "";
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.OF_ATTACHMENT);
        case 2 -> {
          for (int f = in.open(ATTACHMENT_SPEC); f != 0; f = in.next(ATTACHMENT_SPEC)) {
            switch (f) {
              case 1 -> attacher = in.shared();
              case 2 -> volume = in.only(ATTACHMENT_SOURCE, 1);
              case 3 -> node = in.shared();
              default -> in.skip();
            }
          }
        }
        case 3 -> {
          for (int f = in.open(ATTACHMENT_STATUS); f != 0; f = in.next(ATTACHMENT_STATUS)) {
            switch (f) {
              case 1 -> attached = in.flag();
              case 3 -> attachError = in.only(ERROR, 2);
              case 4 -> detachError = in.only(ERROR, 2);
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new Attachment(meta, attacher, volume, node, attached, attachError, detachError);
  }

  static CsiNode csiNode(Wire in) throws IOException {
    Meta meta = Metas.none();
    List<CsiNode.Driver> drivers = new ArrayList<>();
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.NOTHING);
        case 2 -> {
          for (int f = in.open(NODE_SPEC); f != 0; f = in.next(NODE_SPEC)) {
            if (f == 1) {
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

  private static CsiNode.Driver driver(Wire in) throws IOException {
    String name = "";
    String id = "";
    List<String> keys = new ArrayList<>();
    int limit = -1;
    for (int field = in.open(NODE_DRIVER); field != 0; field = in.next(NODE_DRIVER)) {
      switch (field) {
        case 1 -> name = in.shared();
        case 2 -> id = in.text();
        case 3 -> keys.add(in.shared());
        case 4 -> {
          for (int f = in.open(ALLOCATABLE); f != 0; f = in.next(ALLOCATABLE)) {
            if (f == 1) {
              limit = (int) in.number();
            } else {
              in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new CsiNode.Driver(name, id, Wire.frozen(keys), limit);
  }

  static CsiDriver csiDriver(Wire in) throws IOException {
    Meta meta = Metas.none();
    boolean attach = true;
    boolean capacity = false;
    boolean seLinux = false;
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.NOTHING);
        case 2 -> {
          for (int f = in.open(DRIVER_SPEC); f != 0; f = in.next(DRIVER_SPEC)) {
            switch (f) {
              case 1 -> attach = in.flag();
              case 4 -> capacity = in.flag();
              case 8 -> seLinux = in.flag();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new CsiDriver(meta, attach, capacity, seLinux);
  }

  static AttributesClass attributesClass(Wire in) throws IOException {
    Meta meta = Metas.none();
    String driver = "";
    Map<String, String> parameters = new HashMap<>();
    for (int field = in.next(ATTRIBUTES); field != 0; field = in.next(ATTRIBUTES)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.NOTHING);
        case 2 -> driver = in.shared();
        case 3 -> in.strings(parameters);
        default -> in.skip();
      }
    }
    return new AttributesClass(meta, driver, Wire.frozen(parameters));
  }

  static StorageCapacity storageCapacity(Wire in) throws IOException {
    Meta meta = Metas.none();
    LabelSelector nodeTopology = null;
    String storageClass = "";
    Quantity capacity = null;
    Quantity maximum = null;
    for (int field = in.next(CAPACITY); field != 0; field = in.next(CAPACITY)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.OF_CAPACITY);
        case 2 -> nodeTopology = Volumes.selector(in);
        case 3 -> storageClass = in.shared();
        case 4 -> capacity = in.quantity();
        case 5 -> maximum = in.quantity();
        default -> in.skip();
      }
    }
    return new StorageCapacity(meta, nodeTopology, storageClass, capacity, maximum);
  }

  static Lease lease(Wire in) throws IOException {
    Meta meta = Metas.none();
    String holder = "";
    int duration = 0;
    long acquired = 0;
    long renewed = 0;
    int transitions = 0;
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.NOTHING);
        case 2 -> {
          for (int f = in.open(LEASE); f != 0; f = in.next(LEASE)) {
            switch (f) {
              case 1 -> holder = in.text();
              case 2 -> duration = (int) in.number();
              case 3 -> acquired = in.micros();
              case 4 -> renewed = in.micros();
              case 5 -> transitions = (int) in.number();
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new Lease(meta, holder, duration, renewed, acquired, transitions);
  }
}
