package dev.mooring.csi.decide;

import dev.mooring.live.LiveFacts;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.GroupSnapshotContent.Member;
import dev.mooring.model.Kind;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.spi.csi.CsiConnection.CsiGroupSnapshot;
import dev.mooring.spi.csi.CsiConnection.CsiSnapshot;
import dev.mooring.spi.csi.CsiConnection.GroupHandles;
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
    boolean bound = content.meta().has(GroupSnapshotContent.BEING_DELETED);
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
   */
  public static ContentVerdict<GroupSnapshotContent> mayBeDestroyed(
      GroupSnapshotContent cached, GroupHandles handles, String driver, LiveFacts live) {
    return ContentVerdict.by(
        live,
        Kind.GROUP_SNAPSHOT_CONTENT,
        cached,
        now -> plan(now, driver).equals(new ContentPlan.Destroy<>(handles)));
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
