package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;

/** Rules about contents and source claims. */
public final class ContentDecider {
  private ContentDecider() {}

  public static String findFlaw(SnapshotContent content) {
    return content.source().volumeHandle().isEmpty() == content.source().snapshotHandle().isEmpty()
        ? "Exactly one of VolumeHandle and SnapshotHandle should be specified"
        : "";
  }

  public static boolean needsFinalizer(SnapshotContent content) {
    return findFlaw(content).isEmpty()
        && !content.snapshot().uid().isNone()
        && !content.meta().isBeingDeleted()
        && !content.meta().finalizers().contains(SnapshotContent.BOUND_PROTECTION);
  }

  /**
   * Reports whether the driver may be creating data that must be deleted with the content. Many
   * drivers can find it only while the source volume exists. So the source claim is kept, even
   * after the snapshot object is gone.
   */
  public static boolean needsItsVolume(SnapshotContent content) {
    return content.meta().hasAnnotation(SnapshotContent.BEING_CREATED)
        && content.policy() == ReclaimPolicy.DELETE;
  }

  public static boolean needsItsVolumes(GroupSnapshotContent content) {
    return content.meta().hasAnnotation(GroupSnapshotContent.BEING_CREATED)
        && content.policy() == ReclaimPolicy.DELETE;
  }

  public static boolean needsVolume(SnapshotContent content, Volume volume) {
    return needsItsVolume(content)
        && isOneOf(volume, content.driver(), List.of(content.source().volumeHandle()));
  }

  public static boolean needsVolume(GroupSnapshotContent content, Volume volume) {
    return needsItsVolumes(content)
        && isOneOf(volume, content.driver(), content.source().volumeHandles());
  }

  private static boolean isOneOf(Volume volume, String driver, List<String> handles) {
    return volume.source().type().equals("csi")
        && volume.source().attribute("driver").equals(driver)
        && handles.contains(volume.source().attribute("volumeHandle"));
  }

  /**
   * Reports whether a snapshot keeps its source claim: until it is ready. For members the group
   * keeps the claims: a deleted member exists as long as its group, and its status is no longer
   * updated.
   */
  public static boolean needsItsClaim(VolumeSnapshot snapshot) {
    return snapshot.isProtectingClaim();
  }
}
