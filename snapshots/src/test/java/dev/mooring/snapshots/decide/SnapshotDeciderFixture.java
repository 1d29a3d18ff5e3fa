package dev.mooring.snapshots.decide;

import static dev.mooring.snapshots.decide.Given.DRIVER;
import static dev.mooring.snapshots.decide.Given.KEY;
import static dev.mooring.snapshots.decide.Given.OWN;
import static dev.mooring.snapshots.decide.Given.UID;
import static dev.mooring.snapshots.decide.Given.claim;
import static dev.mooring.snapshots.decide.Given.content;
import static dev.mooring.snapshots.decide.Given.meta;
import static dev.mooring.snapshots.decide.Given.ofVolume;
import static dev.mooring.snapshots.decide.Given.snapshot;
import static dev.mooring.snapshots.decide.Given.snapshotClass;
import static dev.mooring.snapshots.decide.Given.status;
import static dev.mooring.snapshots.decide.Given.volume;
import static dev.mooring.snapshots.decide.Given.with;

import dev.mooring.model.Claim;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Snapshots, with what they are made of and what there is for them. */
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

  /** As it is when content c or its own is bound. */
  static VolumeSnapshot bound(VolumeSnapshot snapshot, String to, boolean ready) {
    return with(
        snapshot,
        meta(
            KEY,
            UID,
            false,
            List.of(VolumeSnapshot.SOURCE_PROTECTION, VolumeSnapshot.BOUND_PROTECTION)),
        status(to, ready, 5));
  }

  static SnapshotContent own(SnapshotContent.Status status) {
    return content(OWN, UID, ofVolume(), status);
  }
}
