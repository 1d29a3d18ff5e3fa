package dev.mooring.csi.decide;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotContent.Ref;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** VolumeSnapshotContent or VolumeGroupSnapshotContent, as far as both have the same fields. */
public sealed interface ContentView {
  static ContentView of(Resource content) {
    return switch (content) {
      case SnapshotContent snapshot -> new OfSnapshot(snapshot);
      case GroupSnapshotContent group -> new OfGroup(group);
      default -> throw new IllegalArgumentException("not a content: " + content.key());
    };
  }

  Resource content();

  ContentKind kind();

  String driver();

  String className();

  /** Returns the snapshot or group snapshot that the content belongs to. */
  Ref owner();

  ReclaimPolicy policy();

  /** Returns the handles of the source volumes; empty for existing data. */
  List<String> volumes();

  /** Returns the existing data that the source names; without an id for new data. */
  DataHandle existing();

  /** Returns the data that the status names; without an id until it is created. */
  DataHandle created();

  boolean isReady();

  /** Returns the last error that the status contains. */
  Problem problem();

  /** Returns everything that the content names at its driver. */
  DriverData data();

  /** Reports whether a group creates and deletes the data. */
  boolean isOfGroup();

  boolean isMemberOf(String group);

  /** Reports whether the content has no class, because its group's class applies. */
  boolean isClassless();

  /** Returns the content without the parts that this controller writes. */
  ContentView withoutOwnWrites();

  default Meta meta() {
    return content().meta();
  }

  default ObjectKey key() {
    return content().key();
  }

  default boolean hasMark(String annotation) {
    return meta().hasAnnotation(annotation);
  }

  /** Keeps one annotation, and only its presence: its value is ours. */
  private static Meta withoutOwnWrites(Meta meta, String annotation) {
    return new Meta(
        meta.key(),
        meta.uid(),
        0,
        meta.created(),
        meta.deleted(),
        Map.of(),
        Map.of(annotation, Boolean.toString(meta.hasAnnotation(annotation))),
        meta.finalizers());
  }

  record OfSnapshot(SnapshotContent content) implements ContentView {
    @Override
    public ContentKind kind() {
      return ContentKind.SNAPSHOT;
    }

    @Override
    public String driver() {
      return content.driver();
    }

    @Override
    public String className() {
      return content.className();
    }

    @Override
    public Ref owner() {
      return content.snapshot();
    }

    @Override
    public ReclaimPolicy policy() {
      return content.policy();
    }

    @Override
    public List<String> volumes() {
      String volume = content.source().volumeHandle();
      return volume.isEmpty() ? List.of() : List.of(volume);
    }

    @Override
    public DataHandle existing() {
      return new DataHandle(content.source().snapshotHandle(), List.of());
    }

    @Override
    public DataHandle created() {
      return new DataHandle(content.status().handle(), List.of());
    }

    @Override
    public boolean isReady() {
      return content.status().ready();
    }

    @Override
    public Problem problem() {
      return content.status().problem();
    }

    @Override
    public DriverData data() {
      return DriverData.of(driver(), "", Stream.of(created().id(), existing().id()));
    }

    @Override
    public boolean isOfGroup() {
      return hasMark(SnapshotContent.GROUP_MEMBER) || isClassless();
    }

    @Override
    public boolean isMemberOf(String group) {
      return !group.isEmpty()
          && (content.status().group().equals(group)
              || meta().annotation(SnapshotContent.GROUP_MEMBER).equals(group));
    }

    @Override
    public boolean isClassless() {
      return !content.status().group().isEmpty();
    }

    @Override
    public ContentView withoutOwnWrites() {
      return new OfSnapshot(
          content.withStatus(
              ContentView.withoutOwnWrites(meta(), SnapshotContent.BEING_DELETED),
              SnapshotContent.Status.NONE));
    }
  }

  record OfGroup(GroupSnapshotContent content) implements ContentView {
    @Override
    public ContentKind kind() {
      return ContentKind.GROUP;
    }

    @Override
    public String driver() {
      return content.driver();
    }

    @Override
    public String className() {
      return content.className();
    }

    @Override
    public Ref owner() {
      return content.group();
    }

    @Override
    public ReclaimPolicy policy() {
      return content.policy();
    }

    @Override
    public List<String> volumes() {
      return content.source().volumeHandles();
    }

    @Override
    public DataHandle existing() {
      return new DataHandle(content.source().groupHandle(), content.source().snapshotHandles());
    }

    @Override
    public DataHandle created() {
      List<String> members = members();
      return new DataHandle(
          content.status().handle(),
          members.isEmpty() ? content.source().snapshotHandles() : members);
    }

    private List<String> members() {
      return content.status().members().stream()
          .map(GroupSnapshotContent.Member::snapshotHandle)
          .toList();
    }

    @Override
    public boolean isReady() {
      return content.status().ready();
    }

    @Override
    public Problem problem() {
      return content.status().problem();
    }

    @Override
    public DriverData data() {
      String created = content.status().handle();
      return DriverData.of(
          driver(),
          created.isEmpty() ? existing().id() : created,
          Stream.concat(members().stream(), existing().snapshots().stream()));
    }

    @Override
    public boolean isOfGroup() {
      return false;
    }

    @Override
    public boolean isMemberOf(String group) {
      return false;
    }

    @Override
    public boolean isClassless() {
      return false;
    }

    @Override
    public ContentView withoutOwnWrites() {
      return new OfGroup(
          new GroupSnapshotContent(
              ContentView.withoutOwnWrites(meta(), GroupSnapshotContent.BEING_DELETED),
              content.group(),
              content.policy(),
              content.driver(),
              content.className(),
              content.source(),
              GroupSnapshotContent.Status.NONE));
    }
  }
}
