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

/** What a driver is asked for a VolumeSnapshotContent. */
public final class SnapshotRules {
  private static final int PARTS = 4;
  private static final Duration LONGEST_POLL = Duration.ofMinutes(1);

  private SnapshotRules() {}

  /** What is to be done for a content of that driver. */
  public static ContentPlan<String> plan(SnapshotContent content, String driver) {
    boolean one =
        content.source().volumeHandle().isEmpty() != content.source().snapshotHandle().isEmpty();
    if (!content.driver().equals(driver) || !one) {
      return new ContentPlan.Rest<>();
    }
    boolean begun = content.meta().has(SnapshotContent.BEING_CREATED);
    boolean known = !content.status().handle().isEmpty();
    boolean stays = content.policy() != ReclaimPolicy.DELETE; // whatever came of it
    if (content.meta().isBeingDeleted() && (known || !begun || stays) && mayGo(content)) {
      return goes(content);
    }
    if (content.status().ready()) {
      return begun ? new ContentPlan.Forget<>() : new ContentPlan.Rest<>();
    }
    if (content.source().volumeHandle().isEmpty()) {
      return new ContentPlan.Look<>(content.source().snapshotHandle());
    }
    return isOfGroup(content) ? member(content) : new ContentPlan.Create<>();
  }

  /** One that was cut with others: made and destroyed with them, and not alone. */
  private static boolean isOfGroup(SnapshotContent content) {
    return content.meta().has(SnapshotContent.GROUP_MEMBER) || !content.status().group().isEmpty();
  }

  /** Whoever made the group says what came of it. */
  private static ContentPlan<String> member(SnapshotContent content) {
    return content.status().handle().isEmpty()
        ? new ContentPlan.Rest<>()
        : new ContentPlan.Look<>(content.status().handle());
  }

  /** Its snapshot goes too, or it never had one. */
  private static boolean mayGo(SnapshotContent content) {
    boolean unbound =
        !content.source().snapshotHandle().isEmpty() && content.snapshot().uid().isNone();
    return unbound || content.meta().has(SnapshotContent.BEING_DELETED);
  }

  private static ContentPlan<String> goes(SnapshotContent content) {
    boolean bound =
        content.meta().has(SnapshotContent.BEING_DELETED) && !content.snapshot().uid().isNone();
    String handle = content.status().handle();
    boolean alone = !isOfGroup(content);
    if (content.policy() == ReclaimPolicy.DELETE && !handle.isEmpty() && bound && alone) {
      return content.meta().has(SnapshotContent.BEING_CREATED)
          ? new ContentPlan.Forget<>() // or it would be begun again as soon as it is destroyed
          : new ContentPlan.Destroy<>(handle);
    }
    return content.meta().finalizers().contains(SnapshotContent.BOUND_PROTECTION)
        ? new ContentPlan.LetGo<>()
        : new ContentPlan.Rest<>();
  }

  /**
   * Whether what the driver has of a snapshot may be destroyed: what the server has now decides,
   * not what a cache has.
   *
   * @param cached the content as it was when that was to be done
   * @param handle what was to be destroyed
   * @param twins other contents that may name the same snapshot
   */
  public static ContentVerdict<SnapshotContent> mayBeDestroyed(
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
        now -> plan(now, driver).equals(new ContentPlan.Destroy<>(handle)),
        users);
  }

  /** The VolumeSnapshot of the content: it uses the data until it is being deleted. */
  private static DataUser<VolumeSnapshot> owner(SnapshotContent content) {
    SnapshotContent.Ref ref = content.snapshot();
    return new DataUser<>(
        new Question.One<>(Kind.SNAPSHOT, ref.key()),
        "VolumeSnapshot " + ref.key(),
        now -> now.meta().uid().equals(ref.uid()) && !now.meta().isBeingDeleted());
  }

  /** A content that names a snapshot of that data, and uses it unless the content goes with it. */
  public static DataUser<SnapshotContent> twin(ObjectKey key, DriverData data) {
    return new DataUser<>(
        new Question.One<>(Kind.SNAPSHOT_CONTENT, key),
        "VolumeSnapshotContent " + key,
        now ->
            DriverData.of(now).overlaps(data)
                && !isMemberOf(now, data.group())
                && !(plan(now, data.driver()) instanceof ContentPlan.Destroy<String>));
  }

  /** The contents of a group's members are not users: they go with the group. */
  private static boolean isMemberOf(SnapshotContent content, String group) {
    return !group.isEmpty()
        && (content.status().group().equals(group)
            || content.meta().annotation(SnapshotContent.GROUP_MEMBER).equals(group));
  }

  /**
   * Whether nothing is being made any more after a refusal.
   *
   * @param before whether something may have been before the call
   */
  public static boolean hasEnded(Codes.Meaning meaning, boolean before) {
    return switch (meaning.begun()) {
      case MAYBE -> false;
      case NOT_BY_THIS_CALL -> !before;
      case NEVER -> true;
    };
  }

  /**
   * When the driver is asked again whether a snapshot is ready: the longer it takes, the rarer.
   *
   * @param age how long it has been made for
   * @param first how soon at the earliest
   */
  public static Duration pollAfter(Duration age, Duration first) {
    Duration part = age.dividedBy(PARTS);
    Duration atLeast = part.compareTo(first) < 0 ? first : part;
    return atLeast.compareTo(LONGEST_POLL) > 0 ? LONGEST_POLL : atLeast;
  }
}
