package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;

/** What contents and claims need beside what is done for their snapshots. */
public final class ContentDecider {
  private ContentDecider() {}

  /** What is wrong with a content as it was written, for people; "" for nothing. */
  public static String flaw(SnapshotContent content) {
    return content.source().volumeHandle().isEmpty() == content.source().snapshotHandle().isEmpty()
        ? "Exactly one of VolumeHandle and SnapshotHandle should be specified"
        : "";
  }

  /** Whether it still has to be held for its snapshot: bound contents are. */
  public static boolean isToBeHeld(SnapshotContent content) {
    return flaw(content).isEmpty()
        && !content.snapshot().uid().isNone()
        && !content.meta().isBeingDeleted()
        && !content.meta().finalizers().contains(SnapshotContent.BOUND_PROTECTION);
  }

  /**
   * Whether the driver may be at it, or may have been, and that has to be found out because it is
   * to be destroyed with the content. The driver alone can tell, and of many only as long as what
   * it is made of is there: so no claim goes before whose volume that is, even if the snapshot
   * does.
   */
  public static boolean holdsItsVolume(SnapshotContent content) {
    return content.meta().has(SnapshotContent.BEING_CREATED)
        && content.policy() == ReclaimPolicy.DELETE;
  }

  /** The same of a group's. */
  public static boolean holdsItsVolumes(GroupSnapshotContent content) {
    return content.meta().has(GroupSnapshotContent.BEING_CREATED)
        && content.policy() == ReclaimPolicy.DELETE;
  }

  /** Whether it holds that volume. */
  public static boolean holds(SnapshotContent content, Volume volume) {
    return holdsItsVolume(content)
        && isOf(volume, content.driver(), List.of(content.source().volumeHandle()));
  }

  /** The same of a group's. */
  public static boolean holds(GroupSnapshotContent content, Volume volume) {
    return holdsItsVolumes(content)
        && isOf(volume, content.driver(), content.source().volumeHandles());
  }

  private static boolean isOf(Volume volume, String driver, List<String> handles) {
    return volume.source().type().equals("csi")
        && volume.source().attribute("driver").equals(driver)
        && handles.contains(volume.source().attribute("volumeHandle"));
  }

  /**
   * Whether a snapshot still holds the claim that it is made of: until it is ready. For one of a
   * group the group does: if somebody deletes it, it stays as long as its group, and is not told
   * any more that it is ready.
   */
  public static boolean holdsItsClaim(VolumeSnapshot snapshot) {
    return snapshot.isHoldingItsClaim();
  }
}
