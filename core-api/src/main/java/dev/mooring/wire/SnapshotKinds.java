package dev.mooring.wire;

import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Uid;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.wire.MessageFields.ObjectDraft;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decodes the kinds of snapshot.storage.k8s.io. They are custom resources, so only JSON occurs; the
 * field numbers are those of the Go types' tags.
 */
final class SnapshotKinds {
  static final SnapshotContent.Ref NO_REF =
      new SnapshotContent.Ref(new ObjectKey("", ""), Uid.NONE);

  private static final class ErrorDraft {
    static final MessageFields<ErrorDraft> MESSAGE =
        MessageFields.of(ErrorDraft::new)
            .with(1, "time", (d, in) -> d.time = in.readSeconds())
            .with(2, "message", (d, in) -> d.message = in.readText());

    long time;
    String message = "";
  }

  private static final class SnapshotStatusDraft {
    static final MessageFields<SnapshotStatusDraft> MESSAGE =
        MessageFields.of(SnapshotStatusDraft::new)
            .with(1, "boundVolumeSnapshotContentName", (d, in) -> d.content = in.readText())
            .with(2, "creationTime", (d, in) -> d.creationTime = in.readSeconds())
            .with(3, "readyToUse", (d, in) -> d.isReady = in.readFlag())
            .with(4, "restoreSize", (d, in) -> d.size = Optional.of(in.readQuantity()))
            .with(5, "error", (d, in) -> d.problem = readProblem(in))
            .with(6, "volumeGroupSnapshotName", (d, in) -> d.group = in.readText());

    String content = "";
    boolean isReady;
    long creationTime;
    Optional<Quantity> size = Optional.empty();
    Problem problem = Problem.NONE;
    String group = "";

    VolumeSnapshot.Status toStatus() {
      return new VolumeSnapshot.Status(content, isReady, creationTime, size, problem, group);
    }
  }

  private static final class SnapshotDraft extends ObjectDraft {
    static final MessageFields<SnapshotDraft> SOURCE =
        MessageFields.of(SnapshotDraft::new)
            .with(1, "persistentVolumeClaimName", (d, in) -> d.claim = in.readText())
            .with(2, "volumeSnapshotContentName", (d, in) -> d.content = in.readText());

    static final MessageFields<SnapshotDraft> SPEC =
        MessageFields.of(SnapshotDraft::new)
            .with(1, "source", SOURCE::readInto)
            .with(2, "volumeSnapshotClassName", (d, in) -> d.className = in.readSharedText());

    static final MessageFields<SnapshotDraft> MESSAGE =
        MessageFields.ofObject(SnapshotDraft::new, RetainedFields.NOTHING)
            .with(2, "spec", SPEC::readInto)
            .with(
                3, "status", (d, in) -> d.status = SnapshotStatusDraft.MESSAGE.read(in).toStatus());

    String claim = "";
    String content = "";
    String className = "";
    VolumeSnapshot.Status status = VolumeSnapshot.Status.NONE;
  }

  private static final class ContentStatusDraft {
    static final MessageFields<ContentStatusDraft> MESSAGE =
        MessageFields.of(ContentStatusDraft::new)
            .with(1, "snapshotHandle", (d, in) -> d.handle = in.readText())
            .with(2, "creationTime", (d, in) -> d.creationTime = in.readNumber())
            .with(3, "restoreSize", (d, in) -> d.size = in.readNumber())
            .with(4, "readyToUse", (d, in) -> d.isReady = in.readFlag())
            .with(5, "error", (d, in) -> d.problem = readProblem(in))
            .with(6, "volumeGroupSnapshotHandle", (d, in) -> d.group = in.readText());

    String handle = "";
    long creationTime;
    long size;
    boolean isReady;
    Problem problem = Problem.NONE;
    String group = "";

    SnapshotContent.Status toStatus() {
      return new SnapshotContent.Status(handle, creationTime, size, isReady, problem, group);
    }
  }

  private static final class ContentDraft extends ObjectDraft {
    static final MessageFields<ContentDraft> SOURCE =
        MessageFields.of(ContentDraft::new)
            .with(1, "volumeHandle", (d, in) -> d.volume = in.readText())
            .with(2, "snapshotHandle", (d, in) -> d.handle = in.readText());

    static final MessageFields<ContentDraft> SPEC =
        MessageFields.of(ContentDraft::new)
            .with(
                1,
                "volumeSnapshotRef",
                (d, in) -> d.snapshot = VolumeKinds.readReference(in, SnapshotContent.Ref::new))
            .with(2, "deletionPolicy", (d, in) -> d.policy = readPolicy(in))
            .with(3, "driver", (d, in) -> d.driver = in.readSharedText())
            .with(4, "volumeSnapshotClassName", (d, in) -> d.className = in.readSharedText())
            .with(5, "source", SOURCE::readInto)
            .with(
                6,
                "sourceVolumeMode",
                (d, in) -> d.mode = Optional.of(VolumeMode.of(in.readSharedText())));

    static final MessageFields<ContentDraft> MESSAGE =
        MessageFields.ofObject(ContentDraft::new, RetainedFields.OF_SNAPSHOT_CONTENT)
            .with(2, "spec", SPEC::readInto)
            .with(
                3, "status", (d, in) -> d.status = ContentStatusDraft.MESSAGE.read(in).toStatus());

    SnapshotContent.Ref snapshot = NO_REF;
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    String driver = "";
    String className = "";
    String volume = "";
    String handle = "";
    Optional<VolumeMode> mode = Optional.empty();
    SnapshotContent.Status status = SnapshotContent.Status.NONE;
  }

  private static final class ClassDraft extends ObjectDraft {
    static final MessageFields<ClassDraft> OF_SNAPSHOTS = message(RetainedFields.OF_SNAPSHOT_CLASS);
    static final MessageFields<ClassDraft> OF_GROUPS = message(RetainedFields.OF_GROUP_CLASS);

    String driver = "";
    final Map<String, String> parameters = new HashMap<>();
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    final List<Map<String, List<String>>> topologies = new ArrayList<>();

    private static MessageFields<ClassDraft> message(RetainedFields retained) {
      return MessageFields.ofObject(ClassDraft::new, retained)
          .with(2, "driver", (d, in) -> d.driver = in.readSharedText())
          .with(3, "parameters", (d, in) -> in.readStrings(d.parameters))
          .with(4, "deletionPolicy", (d, in) -> d.policy = readPolicy(in))
          .with(5, "allowedTopologies", (d, in) -> d.topologies.add(StorageKinds.readTopology(in)));
    }
  }

  private SnapshotKinds() {}

  static VolumeSnapshot decodeSnapshot(WireReader in) throws IOException {
    SnapshotDraft draft = SnapshotDraft.MESSAGE.readOpen(in);
    return new VolumeSnapshot(
        draft.meta, draft.claim, draft.content, draft.className, draft.status);
  }

  static Problem readProblem(WireReader in) throws IOException {
    ErrorDraft draft = ErrorDraft.MESSAGE.read(in);
    return new Problem(draft.time, draft.message);
  }

  static SnapshotContent decodeContent(WireReader in) throws IOException {
    ContentDraft draft = ContentDraft.MESSAGE.readOpen(in);
    return new SnapshotContent(
        draft.meta,
        draft.snapshot,
        draft.policy,
        draft.driver,
        draft.className,
        new SnapshotContent.Source(draft.volume, draft.handle),
        draft.mode,
        draft.status);
  }

  static ReclaimPolicy readPolicy(WireReader in) throws IOException {
    return switch (in.readSharedText()) {
      case "Delete" -> ReclaimPolicy.DELETE;
      case "Retain" -> ReclaimPolicy.RETAIN;
      default -> ReclaimPolicy.UNKNOWN;
    };
  }

  static SnapshotClass decodeSnapshotClass(WireReader in) throws IOException {
    ClassDraft draft = ClassDraft.OF_SNAPSHOTS.readOpen(in);
    return new SnapshotClass(
        draft.meta,
        draft.driver,
        WireReader.freeze(draft.parameters),
        draft.policy,
        List.copyOf(draft.topologies));
  }

  static GroupSnapshotClass decodeGroupClass(WireReader in) throws IOException {
    ClassDraft draft = ClassDraft.OF_GROUPS.readOpen(in);
    return new GroupSnapshotClass(
        draft.meta, draft.driver, WireReader.freeze(draft.parameters), draft.policy);
  }
}
