package dev.mooring.kube.wire;

import dev.mooring.kube.wire.WireReader.Fields;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.LabelSelector;
import dev.mooring.model.Meta;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

final class GroupKinds {
  private static final class GroupSpec {
    static final int SOURCE = 1;
    static final int VOLUME_GROUP_SNAPSHOT_CLASS_NAME = 2;
    static final Fields ALL =
        Fields.of(SOURCE, "source")
            .and(VOLUME_GROUP_SNAPSHOT_CLASS_NAME, "volumeGroupSnapshotClassName");
  }

  private static final class GroupSourceFields {
    static final int SELECTOR = 1;
    static final int VOLUME_GROUP_SNAPSHOT_CONTENT_NAME = 2;
    static final Fields ALL =
        Fields.of(SELECTOR, "selector")
            .and(VOLUME_GROUP_SNAPSHOT_CONTENT_NAME, "volumeGroupSnapshotContentName");
  }

  private static final class GroupStatus {
    static final int BOUND_VOLUME_GROUP_SNAPSHOT_CONTENT_NAME = 1;
    static final int CREATION_TIME = 2;
    static final int READY_TO_USE = 3;
    static final int ERROR = 4;
    static final Fields ALL =
        Fields.of(BOUND_VOLUME_GROUP_SNAPSHOT_CONTENT_NAME, "boundVolumeGroupSnapshotContentName")
            .and(CREATION_TIME, "creationTime")
            .and(READY_TO_USE, "readyToUse")
            .and(ERROR, "error");
  }

  private static final class GroupContentSpec {
    static final int VOLUME_GROUP_SNAPSHOT_REF = 1;
    static final int DELETION_POLICY = 2;
    static final int DRIVER = 3;
    static final int VOLUME_GROUP_SNAPSHOT_CLASS_NAME = 4;
    static final int SOURCE = 5;
    static final Fields ALL =
        Fields.of(VOLUME_GROUP_SNAPSHOT_REF, "volumeGroupSnapshotRef")
            .and(DELETION_POLICY, "deletionPolicy")
            .and(DRIVER, "driver")
            .and(VOLUME_GROUP_SNAPSHOT_CLASS_NAME, "volumeGroupSnapshotClassName")
            .and(SOURCE, "source");
  }

  private static final class GroupContentSource {
    static final int VOLUME_HANDLES = 1;
    static final int GROUP_SNAPSHOT_HANDLES = 2;
    static final Fields ALL =
        Fields.of(VOLUME_HANDLES, "volumeHandles")
            .and(GROUP_SNAPSHOT_HANDLES, "groupSnapshotHandles");
  }

  private static final class GroupHandlesFields {
    static final int VOLUME_GROUP_SNAPSHOT_HANDLE = 1;
    static final int VOLUME_SNAPSHOT_HANDLES = 2;
    static final Fields ALL =
        Fields.of(VOLUME_GROUP_SNAPSHOT_HANDLE, "volumeGroupSnapshotHandle")
            .and(VOLUME_SNAPSHOT_HANDLES, "volumeSnapshotHandles");
  }

  private static final class GroupContentStatus {
    static final int VOLUME_GROUP_SNAPSHOT_HANDLE = 1;
    static final int CREATION_TIME = 2;
    static final int READY_TO_USE = 3;
    static final int ERROR = 4;
    static final int VOLUME_SNAPSHOT_INFO_LIST = 5;
    static final Fields ALL =
        Fields.of(VOLUME_GROUP_SNAPSHOT_HANDLE, "volumeGroupSnapshotHandle")
            .and(CREATION_TIME, "creationTime")
            .and(READY_TO_USE, "readyToUse")
            .and(ERROR, "error")
            .and(VOLUME_SNAPSHOT_INFO_LIST, "volumeSnapshotInfoList");
  }

  private static final class SnapshotInfo {
    static final int VOLUME_HANDLE = 1;
    static final int SNAPSHOT_HANDLE = 2;
    static final int CREATION_TIME = 3;
    static final int READY_TO_USE = 4;
    static final int RESTORE_SIZE = 5;
    static final Fields ALL =
        Fields.of(VOLUME_HANDLE, "volumeHandle")
            .and(SNAPSHOT_HANDLE, "snapshotHandle")
            .and(CREATION_TIME, "creationTime")
            .and(READY_TO_USE, "readyToUse")
            .and(RESTORE_SIZE, "restoreSize");
  }

  private static final GroupSnapshotContent.Source NO_SOURCE =
      new GroupSnapshotContent.Source(List.of(), "", List.of());

  private GroupKinds() {}

  static GroupSnapshot decodeGroup(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    String className = "";
    RequestedSource requestedSource = new RequestedSource(Optional.empty(), "");
    GroupSnapshot.Status status = GroupSnapshot.Status.NONE;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.NOTHING);
        case KubeObject.SPEC -> {
          for (int f = in.open(GroupSpec.ALL); f != 0; f = in.next(GroupSpec.ALL)) {
            switch (f) {
              case GroupSpec.SOURCE -> requestedSource = readRequestedSource(in);
              case GroupSpec.VOLUME_GROUP_SNAPSHOT_CLASS_NAME -> className = in.readSharedText();
              default -> in.skip();
            }
          }
        }
        case KubeObject.STATUS -> status = readStatus(in);
        default -> in.skip();
      }
    }
    return new GroupSnapshot(
        meta, requestedSource.selector(), requestedSource.content(), className, status);
  }

  private record RequestedSource(Optional<LabelSelector> selector, String content) {}

  private static RequestedSource readRequestedSource(WireReader in) throws IOException {
    Optional<LabelSelector> selector = Optional.empty();
    String content = "";
    for (int f = in.open(GroupSourceFields.ALL); f != 0; f = in.next(GroupSourceFields.ALL)) {
      switch (f) {
        case GroupSourceFields.SELECTOR -> selector = Optional.of(VolumeKinds.readSelector(in));
        case GroupSourceFields.VOLUME_GROUP_SNAPSHOT_CONTENT_NAME -> content = in.readText();
        default -> in.skip();
      }
    }
    return new RequestedSource(selector, content);
  }

  private static GroupSnapshot.Status readStatus(WireReader in) throws IOException {
    String content = "";
    boolean isReady = false;
    long creationTime = 0;
    Problem problem = Problem.NONE;
    for (int f = in.open(GroupStatus.ALL); f != 0; f = in.next(GroupStatus.ALL)) {
      switch (f) {
        case GroupStatus.BOUND_VOLUME_GROUP_SNAPSHOT_CONTENT_NAME -> content = in.readText();
        case GroupStatus.CREATION_TIME -> creationTime = in.readSeconds();
        case GroupStatus.READY_TO_USE -> isReady = in.readFlag();
        case GroupStatus.ERROR -> problem = SnapshotKinds.readProblem(in);
        default -> in.skip();
      }
    }
    return new GroupSnapshot.Status(content, isReady, creationTime, problem);
  }

  static GroupSnapshotContent decodeContent(WireReader in) throws IOException {
    Meta meta = MetaDecoder.getEmpty();
    SnapshotContent.Ref group = SnapshotKinds.NO_REF;
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    String driver = "";
    String className = "";
    GroupSnapshotContent.Source source = NO_SOURCE;
    GroupSnapshotContent.Status status = GroupSnapshotContent.Status.NONE;
    for (int field = in.next(KubeObject.ALL); field != 0; field = in.next(KubeObject.ALL)) {
      switch (field) {
        case KubeObject.METADATA -> meta = MetaDecoder.decode(in, RetainedFields.OF_GROUP_CONTENT);
        case KubeObject.SPEC -> {
          for (int f = in.open(GroupContentSpec.ALL); f != 0; f = in.next(GroupContentSpec.ALL)) {
            switch (f) {
              case GroupContentSpec.VOLUME_GROUP_SNAPSHOT_REF ->
                  group = VolumeKinds.readReference(in, SnapshotContent.Ref::new);
              case GroupContentSpec.DELETION_POLICY -> policy = SnapshotKinds.readPolicy(in);
              case GroupContentSpec.DRIVER -> driver = in.readSharedText();
              case GroupContentSpec.VOLUME_GROUP_SNAPSHOT_CLASS_NAME ->
                  className = in.readSharedText();
              case GroupContentSpec.SOURCE -> source = readSource(in);
              default -> in.skip();
            }
          }
        }
        case KubeObject.STATUS -> status = readContentStatus(in);
        default -> in.skip();
      }
    }
    return new GroupSnapshotContent(meta, group, policy, driver, className, source, status);
  }

  private static GroupSnapshotContent.Source readSource(WireReader in) throws IOException {
    List<String> volumes = new ArrayList<>();
    List<String> snapshots = new ArrayList<>();
    String group = "";
    for (int f = in.open(GroupContentSource.ALL); f != 0; f = in.next(GroupContentSource.ALL)) {
      switch (f) {
        case GroupContentSource.VOLUME_HANDLES -> volumes.add(in.readText());
        case GroupContentSource.GROUP_SNAPSHOT_HANDLES -> {
          for (int h = in.open(GroupHandlesFields.ALL);
              h != 0;
              h = in.next(GroupHandlesFields.ALL)) {
            switch (h) {
              case GroupHandlesFields.VOLUME_GROUP_SNAPSHOT_HANDLE -> group = in.readText();
              case GroupHandlesFields.VOLUME_SNAPSHOT_HANDLES -> snapshots.add(in.readText());
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new GroupSnapshotContent.Source(volumes, group, snapshots);
  }

  private static GroupSnapshotContent.Status readContentStatus(WireReader in) throws IOException {
    String handle = "";
    long creationTime = 0;
    boolean isReady = false;
    Problem problem = Problem.NONE;
    List<Member> members = new ArrayList<>();
    for (int f = in.open(GroupContentStatus.ALL); f != 0; f = in.next(GroupContentStatus.ALL)) {
      switch (f) {
        case GroupContentStatus.VOLUME_GROUP_SNAPSHOT_HANDLE -> handle = in.readText();
        case GroupContentStatus.CREATION_TIME -> creationTime = in.readSeconds();
        case GroupContentStatus.READY_TO_USE -> isReady = in.readFlag();
        case GroupContentStatus.ERROR -> problem = SnapshotKinds.readProblem(in);
        case GroupContentStatus.VOLUME_SNAPSHOT_INFO_LIST -> members.add(readMember(in));
        default -> in.skip();
      }
    }
    return new GroupSnapshotContent.Status(handle, creationTime, isReady, problem, members);
  }

  private static Member readMember(WireReader in) throws IOException {
    String volume = "";
    String snapshot = "";
    long creationTime = 0;
    boolean isReady = false;
    long size = 0;
    for (int f = in.open(SnapshotInfo.ALL); f != 0; f = in.next(SnapshotInfo.ALL)) {
      switch (f) {
        case SnapshotInfo.VOLUME_HANDLE -> volume = in.readText();
        case SnapshotInfo.SNAPSHOT_HANDLE -> snapshot = in.readText();
        case SnapshotInfo.CREATION_TIME -> creationTime = in.readNumber();
        case SnapshotInfo.READY_TO_USE -> isReady = in.readFlag();
        case SnapshotInfo.RESTORE_SIZE -> size = in.readNumber();
        default -> in.skip();
      }
    }
    return new Member(volume, snapshot, creationTime, isReady, size);
  }

  static GroupSnapshotClass decodeGroupClass(WireReader in) throws IOException {
    return SnapshotKinds.decodeClass(
        in,
        RetainedFields.OF_GROUP_CLASS,
        (meta, driver, parameters, policy, _) ->
            new GroupSnapshotClass(meta, driver, parameters, policy));
  }
}
