package dev.mooring.kube.wire;

import dev.mooring.kube.wire.Wire.Fields;
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

/** The kinds of groupsnapshot.storage.k8s.io, which are JSON only as those of snapshots are. */
final class GroupKinds {
  private static final Fields OBJECT = SnapshotKinds.OBJECT;
  private static final Fields SPEC = Fields.of(1, "source").and(2, "volumeGroupSnapshotClassName");
  private static final Fields SOURCE =
      Fields.of(1, "selector").and(2, "volumeGroupSnapshotContentName");
  private static final Fields STATUS =
      Fields.of(1, "boundVolumeGroupSnapshotContentName")
          .and(2, "creationTime")
          .and(3, "readyToUse")
          .and(4, "error");
  private static final Fields CONTENT_SPEC =
      Fields.of(1, "volumeGroupSnapshotRef")
          .and(2, "deletionPolicy")
          .and(3, "driver")
          .and(4, "volumeGroupSnapshotClassName")
          .and(5, "source");
  private static final Fields CONTENT_SOURCE =
      Fields.of(1, "volumeHandles").and(2, "groupSnapshotHandles");
  private static final Fields HANDLES =
      Fields.of(1, "volumeGroupSnapshotHandle").and(2, "volumeSnapshotHandles");
  private static final Fields CONTENT_STATUS =
      Fields.of(1, "volumeGroupSnapshotHandle")
          .and(2, "creationTime")
          .and(3, "readyToUse")
          .and(4, "error")
          .and(5, "volumeSnapshotInfoList");
  private static final Fields MEMBER =
      Fields.of(1, "volumeHandle")
          .and(2, "snapshotHandle")
          .and(3, "creationTime")
          .and(4, "readyToUse")
          .and(5, "restoreSize");
  private static final GroupSnapshotContent.Source NOTHING =
      new GroupSnapshotContent.Source(List.of(), "", List.of());

  private GroupKinds() {}

  static GroupSnapshot group(Wire in) throws IOException {
    Meta meta = Metas.none();
    String className = "";
    Wish wish = new Wish(Optional.empty(), "");
    GroupSnapshot.Status status = GroupSnapshot.Status.NONE;
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.NOTHING);
        case 2 -> {
          for (int f = in.open(SPEC); f != 0; f = in.next(SPEC)) {
            switch (f) {
              case 1 -> wish = wish(in);
              case 2 -> className = in.shared();
              default -> in.skip();
            }
          }
        }
        case 3 -> status = status(in);
        default -> in.skip();
      }
    }
    return new GroupSnapshot(meta, wish.selector(), wish.content(), className, status);
  }

  private record Wish(Optional<LabelSelector> selector, String content) {}

  private static Wish wish(Wire in) throws IOException {
    Optional<LabelSelector> selector = Optional.empty();
    String content = "";
    for (int f = in.open(SOURCE); f != 0; f = in.next(SOURCE)) {
      switch (f) {
        case 1 -> selector = Optional.of(Volumes.selector(in));
        case 2 -> content = in.text();
        default -> in.skip();
      }
    }
    return new Wish(selector, content);
  }

  private static GroupSnapshot.Status status(Wire in) throws IOException {
    String content = "";
    boolean ready = false;
    long created = 0;
    Problem problem = Problem.NONE;
    for (int f = in.open(STATUS); f != 0; f = in.next(STATUS)) {
      switch (f) {
        case 1 -> content = in.text();
        case 2 -> created = in.seconds();
        case 3 -> ready = in.flag();
        case 4 -> problem = SnapshotKinds.problem(in);
        default -> in.skip();
      }
    }
    return new GroupSnapshot.Status(content, ready, created, problem);
  }

  static GroupSnapshotContent content(Wire in) throws IOException {
    Meta meta = Metas.none();
    SnapshotContent.Ref group = SnapshotKinds.NOBODY;
    ReclaimPolicy policy = ReclaimPolicy.UNKNOWN;
    String driver = "";
    String className = "";
    GroupSnapshotContent.Source of = NOTHING;
    GroupSnapshotContent.Status status = GroupSnapshotContent.Status.NONE;
    for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
      switch (field) {
        case 1 -> meta = Metas.read(in, Kept.OF_GROUP_CONTENT);
        case 2 -> {
          for (int f = in.open(CONTENT_SPEC); f != 0; f = in.next(CONTENT_SPEC)) {
            switch (f) {
              case 1 -> group = Volumes.reference(in, SnapshotContent.Ref::new);
              case 2 -> policy = SnapshotKinds.policy(in);
              case 3 -> driver = in.shared();
              case 4 -> className = in.shared();
              case 5 -> of = source(in);
              default -> in.skip();
            }
          }
        }
        case 3 -> status = contentStatus(in);
        default -> in.skip();
      }
    }
    return new GroupSnapshotContent(meta, group, policy, driver, className, of, status);
  }

  private static GroupSnapshotContent.Source source(Wire in) throws IOException {
    List<String> volumes = new ArrayList<>();
    List<String> snapshots = new ArrayList<>();
    String group = "";
    for (int f = in.open(CONTENT_SOURCE); f != 0; f = in.next(CONTENT_SOURCE)) {
      switch (f) {
        case 1 -> volumes.add(in.text());
        case 2 -> {
          for (int h = in.open(HANDLES); h != 0; h = in.next(HANDLES)) {
            switch (h) {
              case 1 -> group = in.text();
              case 2 -> snapshots.add(in.text());
              default -> in.skip();
            }
          }
        }
        default -> in.skip();
      }
    }
    return new GroupSnapshotContent.Source(volumes, group, snapshots);
  }

  private static GroupSnapshotContent.Status contentStatus(Wire in) throws IOException {
    String handle = "";
    long created = 0;
    boolean ready = false;
    Problem problem = Problem.NONE;
    List<Member> members = new ArrayList<>();
    for (int f = in.open(CONTENT_STATUS); f != 0; f = in.next(CONTENT_STATUS)) {
      switch (f) {
        case 1 -> handle = in.text();
        case 2 -> created = in.seconds();
        case 3 -> ready = in.flag();
        case 4 -> problem = SnapshotKinds.problem(in);
        case 5 -> members.add(member(in));
        default -> in.skip();
      }
    }
    return new GroupSnapshotContent.Status(handle, created, ready, problem, members);
  }

  private static Member member(Wire in) throws IOException {
    String volume = "";
    String snapshot = "";
    long created = 0;
    boolean ready = false;
    long size = 0;
    for (int f = in.open(MEMBER); f != 0; f = in.next(MEMBER)) {
      switch (f) {
        case 1 -> volume = in.text();
        case 2 -> snapshot = in.text();
        case 3 -> created = in.number();
        case 4 -> ready = in.flag();
        case 5 -> size = in.number();
        default -> in.skip();
      }
    }
    return new Member(volume, snapshot, created, ready, size);
  }

  static GroupSnapshotClass groupClass(Wire in) throws IOException {
    return SnapshotKinds.classOf(in, Kept.OF_GROUP_CLASS, GroupSnapshotClass::new);
  }
}
