package dev.mooring.snapshots.observe;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.snapshots.decide.ContentDecider;
import dev.mooring.snapshots.state.SnapshotViews;
import dev.mooring.workqueue.WorkQueue;
import java.util.List;

/** Queues of snapshots and of source claims. Groups of snapshots add to them too. Thread-safe. */
public record SnapshotQueues(
    SnapshotViews views, WorkQueue<ObjectKey> snapshots, WorkQueue<ObjectKey> claims) {
  public void addHeldClaims(String namespace) {
    views.findHeldClaims(namespace).forEach(claim -> claims.add(claim.key()));
  }

  /** Adds the claims of the driver's volumes with these handles. */
  public void addClaimsOf(String driver, List<String> handles) {
    views.findClaims(driver, handles).forEach(claims::add);
  }

  /** Adds snapshots that wait for the claim. */
  public void addSnapshotsOf(ObjectKey claim) {
    for (VolumeSnapshot snapshot : views.findByClaim(claim)) {
      if (ContentDecider.needsItsClaim(snapshot)) {
        snapshots.add(snapshot.key());
      }
    }
  }
}
