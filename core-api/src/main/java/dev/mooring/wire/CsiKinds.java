package dev.mooring.wire;

import dev.mooring.model.CsiDriver;
import dev.mooring.model.CsiNode;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Quantity;
import dev.mooring.model.StorageCapacity;
import dev.mooring.wire.MessageFields.ObjectDraft;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class CsiKinds {
  private static final class NodeDriverDraft {
    static final MessageFields<NodeDriverDraft> ALLOCATABLE =
        MessageFields.of(NodeDriverDraft::new)
            .with(1, "count", (d, in) -> d.limit = (int) in.readNumber());

    static final MessageFields<NodeDriverDraft> MESSAGE =
        MessageFields.of(NodeDriverDraft::new)
            .with(1, "name", (d, in) -> d.name = in.readSharedText())
            .with(2, "nodeID", (d, in) -> d.id = in.readText())
            .with(3, "topologyKeys", (d, in) -> d.keys.add(in.readSharedText()))
            .with(4, "allocatable", ALLOCATABLE::readInto);

    String name = "";
    String id = "";
    final List<String> keys = new ArrayList<>();
    int limit = -1;

    CsiNode.Driver toDriver() {
      return new CsiNode.Driver(name, id, WireReader.freeze(keys), limit);
    }
  }

  private static final class CsiNodeDraft extends ObjectDraft {
    static final MessageFields<CsiNodeDraft> SPEC =
        MessageFields.of(CsiNodeDraft::new)
            .with(
                1,
                "drivers",
                (d, in) -> d.drivers.add(NodeDriverDraft.MESSAGE.read(in).toDriver()));

    static final MessageFields<CsiNodeDraft> MESSAGE =
        MessageFields.ofObject(CsiNodeDraft::new, RetainedFields.NOTHING)
            .with(2, "spec", SPEC::readInto);

    final List<CsiNode.Driver> drivers = new ArrayList<>();
  }

  private static final class CsiDriverDraft extends ObjectDraft {
    static final MessageFields<CsiDriverDraft> SPEC =
        MessageFields.of(CsiDriverDraft::new)
            .with(1, "attachRequired", (d, in) -> d.requiresAttach = in.readFlag())
            .with(4, "storageCapacity", (d, in) -> d.tracksCapacity = in.readFlag())
            .with(8, "seLinuxMount", (d, in) -> d.mountsWithSeLinux = in.readFlag());

    static final MessageFields<CsiDriverDraft> MESSAGE =
        MessageFields.ofObject(CsiDriverDraft::new, RetainedFields.NOTHING)
            .with(2, "spec", SPEC::readInto);

    boolean requiresAttach = true;
    boolean tracksCapacity;
    boolean mountsWithSeLinux;
  }

  private static final class CapacityDraft extends ObjectDraft {
    static final MessageFields<CapacityDraft> MESSAGE =
        MessageFields.ofObject(CapacityDraft::new, RetainedFields.OF_CAPACITY)
            .with(2, "nodeTopology", (d, in) -> d.topology = VolumeKinds.readSelector(in))
            .with(3, "storageClassName", (d, in) -> d.className = in.readSharedText())
            .with(4, "capacity", (d, in) -> d.capacity = in.readQuantity())
            .with(5, "maximumVolumeSize", (d, in) -> d.maximum = in.readQuantity());

    @Nullable LabelSelector topology;
    String className = "";
    @Nullable Quantity capacity;
    @Nullable Quantity maximum;
  }

  private CsiKinds() {}

  static CsiNode decodeCsiNode(WireReader in) throws IOException {
    CsiNodeDraft draft = CsiNodeDraft.MESSAGE.readOpen(in);
    return new CsiNode(draft.meta, List.copyOf(draft.drivers));
  }

  static CsiDriver decodeCsiDriver(WireReader in) throws IOException {
    CsiDriverDraft draft = CsiDriverDraft.MESSAGE.readOpen(in);
    return new CsiDriver(
        draft.meta, draft.requiresAttach, draft.tracksCapacity, draft.mountsWithSeLinux);
  }

  static StorageCapacity decodeCapacity(WireReader in) throws IOException {
    CapacityDraft draft = CapacityDraft.MESSAGE.readOpen(in);
    return new StorageCapacity(
        draft.meta, draft.topology, draft.className, draft.capacity, draft.maximum);
  }
}
