package dev.mooring.csi.decide;

import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Decides the next CSI call for a VolumeSnapshotContent. */
public final class SnapshotContentRules {
  private static final int PARTS = 4;
  private static final Duration LONGEST_POLL = Duration.ofMinutes(1);

  private SnapshotContentRules() {}

  public static ContentPlan<String> plan(SnapshotContent content, String driver) {
    boolean one =
        content.source().volumeHandle().isEmpty() != content.source().snapshotHandle().isEmpty();
    if (!content.driver().equals(driver) || !one) {
      return new ContentPlan.NoAction<>();
    }
    boolean creating = content.meta().hasAnnotation(SnapshotContent.BEING_CREATED);
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
    if (content.source().volumeHandle().isEmpty()) {
      return new ContentPlan.Query<>(content.source().snapshotHandle());
    }
    return isOfGroup(content) ? member(content) : new ContentPlan.Create<>();
  }

  // Group members are created and deleted with their group.
  private static boolean isOfGroup(SnapshotContent content) {
    return content.meta().hasAnnotation(SnapshotContent.GROUP_MEMBER)
        || !content.status().group().isEmpty();
  }

  // The group's content supplies the handle.
  private static ContentPlan<String> member(SnapshotContent content) {
    return content.status().handle().isEmpty()
        ? new ContentPlan.NoAction<>()
        : new ContentPlan.Query<>(content.status().handle());
  }

  // Deletion needs the snapshot controller's mark, or a content that was never bound.
  private static boolean isReleasedForDeletion(SnapshotContent content) {
    boolean unbound =
        !content.source().snapshotHandle().isEmpty() && content.snapshot().uid().isNone();
    return unbound || content.meta().hasAnnotation(SnapshotContent.BEING_DELETED);
  }

  private static ContentPlan<String> deletion(SnapshotContent content) {
    boolean bound =
        content.meta().hasAnnotation(SnapshotContent.BEING_DELETED)
            && !content.snapshot().uid().isNone();
    String handle = content.status().handle();
    boolean alone = !isOfGroup(content);
    if (content.policy() == ReclaimPolicy.DELETE && !handle.isEmpty() && bound && alone) {
      return content.meta().hasAnnotation(SnapshotContent.BEING_CREATED)
          ? new ContentPlan
              .ClearCreationMark<>() // the mark would start the creation again after the deletion
          : new ContentPlan.Delete<>(handle);
    }
    return content.meta().finalizers().contains(SnapshotContent.BOUND_PROTECTION)
        ? new ContentPlan.RemoveFinalizer<>()
        : new ContentPlan.NoAction<>();
  }

  public static ContentVerdict<SnapshotContent> mayBeDeleted(
      SnapshotContent cached,
      String handle,
      String driver,
      List<DataUser<?>> twins,
      LiveFacts live) {
    List<DataUser<?>> users = new ArrayList<>(twins);
    users.add(owner(cached));
    return ContentVerdict.by(
        live,
        Kind.SNAPSHOT_CONTENT,
        cached,
        now -> plan(now, driver).equals(new ContentPlan.Delete<>(handle)),
        users);
  }

  // The snapshot object uses the data until it is being deleted.
  private static DataUser<VolumeSnapshot> owner(SnapshotContent content) {
    SnapshotContent.Ref ref = content.snapshot();
    return new DataUser<>(
        new Question.One<>(Kind.SNAPSHOT, ref.key()),
        "VolumeSnapshot " + ref.key(),
        now -> now.meta().uid().equals(ref.uid()) && !now.meta().isBeingDeleted());
  }

  /**
   * Returns a content that names a snapshot of the data; it is no user if it is due for deletion
   * itself.
   */
  public static DataUser<SnapshotContent> twin(ObjectKey key, DriverData data) {
    return new DataUser<>(
        new Question.One<>(Kind.SNAPSHOT_CONTENT, key),
        "VolumeSnapshotContent " + key,
        now ->
            DriverData.of(now).overlaps(data)
                && !isMemberOf(now, data.group())
                && !(plan(now, data.driver()) instanceof ContentPlan.Delete<String>));
  }

  // Contents of the group's members are not users: they are deleted with the group.
  private static boolean isMemberOf(SnapshotContent content, String group) {
    return !group.isEmpty()
        && (content.status().group().equals(group)
            || content.meta().annotation(SnapshotContent.GROUP_MEMBER).equals(group));
  }

  public static boolean hasEnded(StatusCodeMeanings.Meaning meaning, boolean before) {
    return switch (meaning.begun()) {
      case MAYBE -> false;
      case NOT_BY_THIS_CALL -> !before;
      case NEVER -> true;
    };
  }

  public static Duration pollAfter(Duration age, Duration first) {
    Duration part = age.dividedBy(PARTS);
    Duration atLeast = part.compareTo(first) < 0 ? first : part;
    return atLeast.compareTo(LONGEST_POLL) > 0 ? LONGEST_POLL : atLeast;
  }
}
