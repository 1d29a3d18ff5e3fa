package dev.mooring.csi.decide;

import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.GroupSnapshotHandle;
import java.util.ArrayList;
import java.util.List;

/** Decides the next CSI call for a VolumeGroupSnapshotContent. */
public final class GroupContentRules {
  private GroupContentRules() {}

  public static ContentPlan<GroupSnapshotHandle> plan(GroupSnapshotContent content, String driver) {
    boolean ofVolumes = !content.source().volumeHandles().isEmpty();
    boolean one = ofVolumes == content.source().groupHandle().isEmpty();
    if (!content.driver().equals(driver) || !one) {
      return new ContentPlan.NoAction<>();
    }
    boolean creating = content.meta().hasAnnotation(GroupSnapshotContent.BEING_CREATED);
    boolean known = !content.status().handle().isEmpty();
    boolean isRetained =
        content.policy() != ReclaimPolicy.DELETE; // the creation's outcome does not matter then
    if (content.meta().isBeingDeleted()
        && (known || !creating || isRetained)
        && isReleasedForDeletion(content)) {
      return deletion(content);
    }
    if (content.status().ready()) {
      return creating ? new ContentPlan.ClearCreationMark<>() : new ContentPlan.NoAction<>();
    }
    return ofVolumes
        ? new ContentPlan.Create<>()
        : new ContentPlan.Query<>(
            new GroupSnapshotHandle(
                content.source().groupHandle(), content.source().snapshotHandles()));
  }

  // Deletion needs the snapshot controller's mark, or a content that was never bound.
  private static boolean isReleasedForDeletion(GroupSnapshotContent content) {
    boolean unbound = !content.source().groupHandle().isEmpty() && content.group().uid().isNone();
    return unbound || content.meta().hasAnnotation(GroupSnapshotContent.BEING_DELETED);
  }

  private static ContentPlan<GroupSnapshotHandle> deletion(GroupSnapshotContent content) {
    boolean bound =
        content.meta().hasAnnotation(GroupSnapshotContent.BEING_DELETED)
            && !content.group().uid().isNone();
    String handle = content.status().handle();
    if (content.policy() == ReclaimPolicy.DELETE && !handle.isEmpty() && bound) {
      return content.meta().hasAnnotation(GroupSnapshotContent.BEING_CREATED)
          ? new ContentPlan
              .ClearCreationMark<>() // the mark would start the creation again after the deletion
          : new ContentPlan.Delete<>(new GroupSnapshotHandle(handle, snapshots(content)));
    }
    return content.meta().finalizers().contains(GroupSnapshotContent.BOUND_PROTECTION)
        ? new ContentPlan.RemoveFinalizer<>()
        : new ContentPlan.NoAction<>();
  }

  private static List<String> snapshots(GroupSnapshotContent content) {
    return content.status().members().isEmpty()
        ? content.source().snapshotHandles()
        : content.status().members().stream().map(Member::snapshotHandle).toList();
  }

  public static ContentVerdict<GroupSnapshotContent> mayBeDeleted(
      GroupSnapshotContent cached,
      GroupSnapshotHandle handles,
      String driver,
      List<DataUser<?>> twins,
      LiveFacts live) {
    List<DataUser<?>> users = new ArrayList<>(twins);
    users.add(owner(cached));
    return ContentVerdict.by(
        live,
        Kind.GROUP_SNAPSHOT_CONTENT,
        cached,
        now -> plan(now, driver).equals(new ContentPlan.Delete<>(handles)),
        users);
  }

  // The group snapshot uses the data until it is being deleted.
  private static DataUser<GroupSnapshot> owner(GroupSnapshotContent content) {
    SnapshotContent.Ref ref = content.group();
    return new DataUser<>(
        new Question.One<>(Kind.GROUP_SNAPSHOT, ref.key()),
        "VolumeGroupSnapshot " + ref.key(),
        now -> now.meta().uid().equals(ref.uid()) && !now.meta().isBeingDeleted());
  }

  /**
   * Returns a content that names the group or one of its snapshots; it is no user if it is due for
   * deletion itself.
   */
  public static DataUser<GroupSnapshotContent> twin(ObjectKey key, DriverData data) {
    return new DataUser<>(
        new Question.One<>(Kind.GROUP_SNAPSHOT_CONTENT, key),
        "VolumeGroupSnapshotContent " + key,
        now ->
            DriverData.of(now).overlaps(data)
                && !(plan(now, data.driver()) instanceof ContentPlan.Delete<GroupSnapshotHandle>));
  }

  public static String flaw(CsiGroupSnapshot group) {
    if (group.id().isEmpty()) {
      return "created a group snapshot without an id";
    }
    for (CsiSnapshot snapshot : group.snapshots()) {
      if (snapshot.id().isEmpty() || snapshot.volume().isEmpty()) {
        return "created a group member without an id or without its source volume";
      }
    }
    return "";
  }
}
