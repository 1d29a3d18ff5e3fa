package dev.mooring.snapshots.decide;

import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.time.Instant;

/** Next step for a snapshot. */
public sealed interface SnapshotStep
    permits CommonStep,
        SnapshotStep.CreateContent,
        SnapshotStep.WriteStatus,
        SnapshotStep.CondemnContent {
  /**
   * Creates the content.
   *
   * @param node node whose instance of the driver makes the snapshot; "" for any
   */
  record CreateContent(
      String name,
      SnapshotClass snapshotClass,
      Volume volume,
      String handle,
      Secret secret,
      String node)
      implements SnapshotStep {}

  record CondemnContent(SnapshotContent content, Instant until) implements SnapshotStep {}

  record WriteStatus(VolumeSnapshot.Status newStatus, boolean becomesCreated, boolean becomesReady)
      implements SnapshotStep {}
}
