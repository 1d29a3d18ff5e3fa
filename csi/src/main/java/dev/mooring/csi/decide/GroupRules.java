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
import dev.mooring.spi.csi.CsiConnection.GroupHandles;
import java.util.ArrayList;
import java.util.List;

/** What a driver is asked for a VolumeGroupSnapshotContent. */
public final class GroupRules {
  private GroupRules() {}

  /** What is to be done for a content of that driver. */
  public static ContentPlan<GroupHandles> plan(GroupSnapshotContent content, String driver) {
    boolean ofVolumes = !content.source().volumeHandles().isEmpty();
    boolean one = ofVolumes == content.source().groupHandle().isEmpty();
    if (!content.driver().equals(driver) || !one) {
      return new ContentPlan.Rest<>();
    }
    boolean begun = content.meta().has(GroupSnapshotContent.BEING_CREATED);
    boolean known = !content.status().handle().isEmpty();
    boolean stays = content.policy() != ReclaimPolicy.DELETE; // whatever came of it
    if (content.meta().isBeingDeleted() && (known || !begun || stays) && mayGo(content)) {
      return goes(content);
    }
    if (content.status().ready()) {
      return begun ? new ContentPlan.Forget<>() : new ContentPlan.Rest<>();
    }
    return ofVolumes
        ? new ContentPlan.Create<>()
        : new ContentPlan.Look<>(
            new GroupHandles(content.source().groupHandle(), content.source().snapshotHandles()));
  }

  /** Its group goes too, or it never had one. */
  private static boolean mayGo(GroupSnapshotContent content) {
    boolean unbound = !content.source().groupHandle().isEmpty() && content.group().uid().isNone();
    return unbound || content.meta().has(GroupSnapshotContent.BEING_DELETED);
  }

  private static ContentPlan<GroupHandles> goes(GroupSnapshotContent content) {
    boolean bound =
        content.meta().has(GroupSnapshotContent.BEING_DELETED) && !content.group().uid().isNone();
    String handle = content.status().handle();
    if (content.policy() == ReclaimPolicy.DELETE && !handle.isEmpty() && bound) {
      return content.meta().has(GroupSnapshotContent.BEING_CREATED)
          ? new ContentPlan.Forget<>() // or it would be begun again as soon as it is destroyed
          : new ContentPlan.Destroy<>(new GroupHandles(handle, snapshots(content)));
    }
    return content.meta().finalizers().contains(GroupSnapshotContent.BOUND_PROTECTION)
        ? new ContentPlan.LetGo<>()
        : new ContentPlan.Rest<>();
  }

  /** Its snapshots at the driver. */
  private static List<String> snapshots(GroupSnapshotContent content) {
    return content.status().members().isEmpty()
        ? content.source().snapshotHandles()
        : content.status().members().stream().map(Member::snapshotHandle).toList();
  }

  /**
   * Whether what the driver has of a group may be destroyed: what the server has now decides, not
   * what a cache has.
   *
   * @param cached the content as it was when that was to be done
   * @param handles what was to be destroyed
   * @param twins other contents that may name the same group, or one of its snapshots
   */
  public static ContentVerdict<GroupSnapshotContent> mayBeDestroyed(
      GroupSnapshotContent cached,
      GroupHandles handles,
      String driver,
      List<DataUser<?>> twins,
      LiveFacts live) {
    List<DataUser<?>> users = new ArrayList<>(twins);
    users.add(owner(cached));
    return ContentVerdict.by(
        live,
        Kind.GROUP_SNAPSHOT_CONTENT,
        cached,
        now -> plan(now, driver).equals(new ContentPlan.Destroy<>(handles)),
        users);
  }

  /** The VolumeGroupSnapshot of the content: it uses the data until it is being deleted. */
  private static DataUser<GroupSnapshot> owner(GroupSnapshotContent content) {
    SnapshotContent.Ref ref = content.group();
    return new DataUser<>(
        new Question.One<>(Kind.GROUP_SNAPSHOT, ref.key()),
        "VolumeGroupSnapshot " + ref.key(),
        now -> now.meta().uid().equals(ref.uid()) && !now.meta().isBeingDeleted());
  }

  /** A content that names that group or a snapshot of it, unless the content goes with it. */
  public static DataUser<GroupSnapshotContent> twin(ObjectKey key, DriverData data) {
    return new DataUser<>(
        new Question.One<>(Kind.GROUP_SNAPSHOT_CONTENT, key),
        "VolumeGroupSnapshotContent " + key,
        now ->
            DriverData.of(now).overlaps(data)
                && !(plan(now, data.driver()) instanceof ContentPlan.Destroy<GroupHandles>));
  }

  /**
   * What is wrong with what a driver says to have made, for people; "" for nothing: what has no id
   * cannot be written down.
   */
  public static String flaw(CsiGroupSnapshot group) {
    if (group.id().isEmpty()) {
      return "made a group of snapshots without an id";
    }
    for (CsiSnapshot snapshot : group.snapshots()) {
      if (snapshot.id().isEmpty() || snapshot.volume().isEmpty()) {
        return "made a snapshot of a group without an id, or does not say of which volume";
      }
    }
    return "";
  }
}
