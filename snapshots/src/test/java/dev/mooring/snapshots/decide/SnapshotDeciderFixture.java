package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.SnapshotObjects.DRIVER;
import static dev.mooring.snapshots.decide.SnapshotObjects.OWN;
import static dev.mooring.snapshots.decide.SnapshotObjects.UID;
import static dev.mooring.snapshots.decide.SnapshotObjects.claim;
import static dev.mooring.snapshots.decide.SnapshotObjects.content;
import static dev.mooring.snapshots.decide.SnapshotObjects.ofVolume;
import static dev.mooring.snapshots.decide.SnapshotObjects.snapshot;
import static dev.mooring.snapshots.decide.SnapshotObjects.snapshotClass;
import static dev.mooring.snapshots.decide.SnapshotObjects.status;
import static dev.mooring.snapshots.decide.SnapshotObjects.volume;

import dev.mooring.model.Claim;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import dev.mooring.testkit.TestObjects;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Snapshots with their sources and contents. */
abstract class SnapshotDeciderFixture {
  static final SnapshotClass CLASS = snapshotClass("fast", DRIVER, false, Map.of());
  static final SnapshotContent.Status READY =
      new SnapshotContent.Status("snap-1", 5_000_000_007L, 1 << 20, true, Problem.NONE, "");
  static final SnapshotContent.Status FAILED =
      new SnapshotContent.Status("", 0, 0, false, new Problem(3, "no"), "");

  static SnapshotView view(
      VolumeSnapshot snapshot,
      @Nullable SnapshotContent content,
      @Nullable Claim claim,
      @Nullable Volume volume,
      SnapshotClass... classes) {
    return new SnapshotView(
        snapshot,
        Optional.ofNullable(content),
        Optional.ofNullable(claim),
        Optional.ofNullable(volume),
        List.of(classes));
  }

  static VolumeSnapshot dynamic(String className) {
    return snapshot("a", "", className);
  }

  static VolumeSnapshot preProvisioned(String className) {
    return snapshot("", "c", className);
  }

  /** Returns the snapshot after content "c" or its own content was bound. */
  static VolumeSnapshot bound(VolumeSnapshot snapshot, String contentName, boolean isReady) {
    return TestObjects.like(snapshot)
        .finalizers(VolumeSnapshot.SOURCE_PROTECTION, VolumeSnapshot.BOUND_PROTECTION)
        .status(status(contentName, isReady, 5))
        .build();
  }

  static SnapshotContent ownContent(SnapshotContent.Status status) {
    return content(OWN, UID, ofVolume(), status);
  }
}
