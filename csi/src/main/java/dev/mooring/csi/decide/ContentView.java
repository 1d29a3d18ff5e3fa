package dev.mooring.csi.decide;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Resource;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotContent.Ref;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * VolumeSnapshotContent or VolumeGroupSnapshotContent, as far as both have the same fields.
 *
 * @param content the object itself
 * @param owner the snapshot or group snapshot that it belongs to
 */
public record ContentView(
    Resource content,
    String driver,
    String className,
    Ref owner,
    ReclaimPolicy policy,
    Source source,
    Status status) {
  /**
   * Origin of the data: either volumes or existing data.
   *
   * @param volumes handles of the source volumes
   * @param existing without an id if there are volumes
   */
  public record Source(List<String> volumes, DataHandle existing) {}

  /**
   * Status that the driver reported.
   *
   * @param created without an id until the data is created
   * @param problem the last error
   * @param group handle of the group that created a snapshot; "" for none. Such a content has no
   *     class
   */
  public record Status(DataHandle created, boolean isReady, Problem problem, String group) {}

  /**
   * @param content a SnapshotContent or a GroupSnapshotContent
   */
  public static ContentView of(Resource content) {
    return switch (content) {
      case SnapshotContent snapshot -> ofSnapshot(snapshot);
      case GroupSnapshotContent group -> ofGroup(group);
      default -> throw new IllegalArgumentException("not a content: " + content.key());
    };
  }

  private static ContentView ofSnapshot(SnapshotContent content) {
    SnapshotContent.Source source = content.source();
    SnapshotContent.Status status = content.status();
    return new ContentView(
        content,
        content.driver(),
        content.className(),
        content.snapshot(),
        content.policy(),
        new Source(
            source.volumeHandle().isEmpty() ? List.of() : List.of(source.volumeHandle()),
            new DataHandle(source.snapshotHandle(), List.of())),
        new Status(
            new DataHandle(status.handle(), List.of()),
            status.ready(),
            status.problem(),
            status.group()));
  }

  private static ContentView ofGroup(GroupSnapshotContent content) {
    GroupSnapshotContent.Source source = content.source();
    GroupSnapshotContent.Status status = content.status();
    List<String> members =
        status.members().stream().map(GroupSnapshotContent.Member::snapshotHandle).toList();
    return new ContentView(
        content,
        content.driver(),
        content.className(),
        content.group(),
        content.policy(),
        new Source(
            source.volumeHandles(), new DataHandle(source.groupHandle(), source.snapshotHandles())),
        new Status(
            new DataHandle(status.handle(), members.isEmpty() ? source.snapshotHandles() : members),
            status.ready(),
            status.problem(),
            ""));
  }

  public ContentKind kind() {
    return content instanceof SnapshotContent ? ContentKind.SNAPSHOT : ContentKind.GROUP;
  }

  public List<String> volumes() {
    return source.volumes();
  }

  public DataHandle existing() {
    return source.existing();
  }

  public DataHandle created() {
    return status.created();
  }

  public Meta meta() {
    return content.meta();
  }

  public ObjectKey key() {
    return content.key();
  }

  public boolean hasMark(String annotation) {
    return meta().hasAnnotation(annotation);
  }

  // Returns everything that the content names at its driver.
  public DriverData data() {
    return switch (kind()) {
      case SNAPSHOT -> DriverData.of(driver, "", Stream.of(created().id(), existing().id()));
      case GROUP ->
          DriverData.of(
              driver,
              created().isNone() ? existing().id() : created().id(),
              Stream.concat(created().snapshots().stream(), existing().snapshots().stream()));
    };
  }

  // Reports whether a group creates and deletes the data.
  public boolean isOfGroup() {
    return !status.group().isEmpty()
        || kind() == ContentKind.SNAPSHOT && hasMark(SnapshotContent.GROUP_MEMBER);
  }

  public boolean isMemberOf(String group) {
    return isOfGroup()
        && !group.isEmpty()
        && (status.group().equals(group)
            || meta().annotation(SnapshotContent.GROUP_MEMBER).equals(group));
  }

  // Returns the content without the parts that this controller writes.
  public ContentView withoutOwnWrites() {
    Meta stripped = withoutOwnWrites(meta(), kind().keys());
    return switch (content) {
      case SnapshotContent snapshot ->
          of(snapshot.withStatus(stripped, SnapshotContent.Status.NONE));
      case GroupSnapshotContent group ->
          of(
              new GroupSnapshotContent(
                  stripped,
                  owner,
                  policy,
                  driver,
                  className,
                  group.source(),
                  GroupSnapshotContent.Status.NONE));
      default -> this;
    };
  }

  // Keeps whether the content is marked for deletion; this controller writes the value.
  private static Meta withoutOwnWrites(Meta meta, ContentKind.MetadataKeys keys) {
    Map<String, String> annotations = new HashMap<>(meta.annotations());
    annotations.remove(keys.beingCreated());
    annotations.replace(keys.beingDeleted(), "yes");
    return new Meta(
        meta.key(),
        meta.uid(),
        0,
        meta.created(),
        meta.deleted(),
        meta.labels(),
        Map.copyOf(annotations),
        meta.finalizers());
  }
}
