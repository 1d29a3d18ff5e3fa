package dev.mooring.snapshots.decide;

import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;

/** Next step for a snapshot. */
public sealed interface SnapshotStep
    permits CommonStep,
        SnapshotStep.CreateContent,
        SnapshotStep.Bind,
        SnapshotStep.WriteStatus,
        SnapshotStep.MarkContent,
        SnapshotStep.UnmarkContent,
        SnapshotStep.DeleteContent {
  record CreateContent(
      String name, SnapshotClass snapshotClass, Volume volume, String handle, Secret secret)
      implements SnapshotStep {}

  record Bind(SnapshotContent content, String className) implements SnapshotStep {}

  record WriteStatus(VolumeSnapshot.Status now, boolean created, boolean ready)
      implements SnapshotStep {}

  // Mark the content as being deleted.
  record MarkContent(SnapshotContent content) implements SnapshotStep {}

  // Remove the being-deleted annotation of a content whose snapshot is not being deleted. An
  // earlier snapshot left it, and it allows the driver to delete the data.
  record UnmarkContent(SnapshotContent content) implements SnapshotStep {}

  record DeleteContent(SnapshotContent content) implements SnapshotStep {}
}
