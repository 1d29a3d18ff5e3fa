package dev.mooring.snapshots.decide;

import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;

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

  /** Whether a snapshot still holds the claim that it is made of: until it is ready. */
  public static boolean holdsItsClaim(VolumeSnapshot snapshot) {
    return !snapshot.sourceClaim().isEmpty() && !snapshot.status().ready();
  }
}
