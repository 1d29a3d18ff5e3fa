package dev.mooring.wire;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.wire.MessageFields.ObjectDraft;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

final class GroupKinds {
  private static final class GroupStatusDraft {
    static final MessageFields<GroupStatusDraft> MESSAGE =
        MessageFields.of(GroupStatusDraft::new)
            .with(1, "boundVolumeGroupSnapshotContentName", (d, in) -> d.content = in.readText())
            .with(2, "creationTime", (d, in) -> d.creationTime = in.readSeconds())
            .with(3, "readyToUse", (d, in) -> d.isReady = in.readFlag())
            .with(4, "error", (d, in) -> d.problem = SnapshotKinds.readProblem(in));

    String content = "";
    boolean isReady;
    long creationTime;
    Problem problem = Problem.NONE;

    GroupSnapshot.Status toStatus() {
      return new GroupSnapshot.Status(content, isReady, creationTime, problem);
    }
  }

  private static final class GroupDraft extends ObjectDraft {
    static final MessageFields<GroupDraft> SOURCE =
        MessageFields.of(GroupDraft::new)
            .with(1, "selector", (d, in) -> d.selector = Optional.of(VolumeKinds.readSelector(in)))
            .with(2, "volumeGroupSnapshotContentName", (d, in) -> d.content = in.readText());

    static final MessageFields<GroupDraft> SPEC =
        MessageFields.of(GroupDraft::new)
            .with(1, "source", SOURCE::readInto)
            .with(2, "volumeGroupSnapshotClassName", (d, in) -> d.className = in.readSharedText());

    static final MessageFields<GroupDraft> MESSAGE =
        MessageFields.ofObject(GroupDraft::new, RetainedFields.NOTHING)
            .with(2, "spec", SPEC::readInto)
            .with(3, "status", (d, in) -> d.status = GroupStatusDraft.MESSAGE.read(in).toStatus());

    Optional<LabelSelector> selector = Optional.empty();
    String content = "";
    String className = "";
    GroupSnapshot.Status status = GroupSnapshot.Status.NONE;
  }

  private static final class MemberDraft {
    static final MessageFields<MemberDraft> MESSAGE =
        MessageFields.of(MemberDraft::new)
            .with(1, "volumeHandle", (d, in) -> d.volume = in.readText())
            .with(2, "snapshotHandle", (d, in) -> d.snapshot = in.readText())
            .with(3, "creationTime", (d, in) -> d.creationTime = in.readNumber())
            .with(4, "readyToUse", (d, in) -> d.isReady = in.readFlag())
            .with(5, "restoreSize", (d, in) -> d.size = in.readNumber());

    String volume = "";
    String snapshot = "";
    long creationTime;
    boolean isReady;
    long size;

    Member toMember() {
      return new Member(volume, snapshot, creationTime, isReady, size);
    }
  }

  private static final class ContentStatusDraft {
    static final MessageFields<ContentStatusDraft> MESSAGE =
        MessageFields.of(ContentStatusDraft::new)
            .with(1, "volumeGroupSnapshotHandle", (d, in) -> d.handle = in.readText())
            .with(2, "creationTime", (d, in) -> d.creationTime = in.readSeconds())
            .with(3, "readyToUse", (d, in) -> d.isReady = in.readFlag())
            .with(4, "error", (d, in) -> d.problem = SnapshotKinds.readProblem(in))
            .with(
                5,
                "volumeSnapshotInfoList",
                (d, in) -> d.members.add(MemberDraft.MESSAGE.read(in).toMember()));

    String handle = "";
    long creationTime;
    boolean isReady;
    Problem problem = Problem.NONE;
    final List<Member> members = new ArrayList<>();

    GroupSnapshotContent.Status toStatus() {
      return new GroupSnapshotContent.Status(handle, creationTime, isReady, problem, members);
    }
  }

  private static final class ContentDraft extends ObjectDraft {
    static final MessageFields<ContentDraft> HANDLES =
        MessageFields.of(ContentDraft::new)
            .with(1, "volumeGroupSnapshotHandle", (d, in) -> d.groupHandle = in.readText())
            .with(2, "volumeSnapshotHandles", (d, in) -> d.snapshots.add(in.readText()));

    static final MessageFields<ContentDraft> SOURCE =
        MessageFields.of(ContentDraft::new)
            .with(1, "volumeHandles", (d, in) -> d.volumes.add(in.readText()))
            .with(2, "groupSnapshotHandles", HANDLES::readInto);

    static final MessageFields<ContentDraft> SPEC =
        MessageFields.of(ContentDraft::new)
            .with(
                1,
                "volumeGroupSnapshotRef",
                (d, in) -> d.group = VolumeKinds.readReference(in, SnapshotContent.Ref::new))
            .with(2, "deletionPolicy", (d, in) -> d.policy = SnapshotKinds.readPolicy(in))
            .with(3, "driver", (d, in) -> d.driver = in.readSharedText())
            .with(4, "volumeGroupSnapshotClassName", (d, in) -> d.className = in.readSharedText())
            .with(5, "source", SOURCE::readInto);

    static final MessageFields<ContentDraft> MESSAGE =
        MessageFields.ofObject(ContentDraft::new, RetainedFields.OF_GROUP_CONTENT)
            .with(2, "spec", SPEC::readInto)
            .with(
                3, "status", (d, in) -> d.status = ContentStatusDraft.MESSAGE.read(in).toStatus());

    SnapshotContent.Ref group = SnapshotKinds.NO_REF;
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    String driver = "";
    String className = "";
    final List<String> volumes = new ArrayList<>();
    String groupHandle = "";
    final List<String> snapshots = new ArrayList<>();
    GroupSnapshotContent.Status status = GroupSnapshotContent.Status.NONE;
  }

  private GroupKinds() {}

  static GroupSnapshot decodeGroup(WireReader in) throws IOException {
    GroupDraft draft = GroupDraft.MESSAGE.readOpen(in);
    return new GroupSnapshot(
        draft.meta, draft.selector, draft.content, draft.className, draft.status);
  }

  static GroupSnapshotContent decodeContent(WireReader in) throws IOException {
    ContentDraft draft = ContentDraft.MESSAGE.readOpen(in);
    return new GroupSnapshotContent(
        draft.meta,
        draft.group,
        draft.policy,
        draft.driver,
        draft.className,
        new GroupSnapshotContent.Source(draft.volumes, draft.groupHandle, draft.snapshots),
        draft.status);
  }
}
