package dev.mooring.snapshots.decide;

import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;

/** The one thing that is to be done next for a snapshot. */
public sealed interface SnapshotStep
    permits CommonStep,
        SnapshotStep.CreateContent,
        SnapshotStep.Bind,
        SnapshotStep.Show,
        SnapshotStep.MarkContent,
        SnapshotStep.UnmarkContent,
        SnapshotStep.DeleteContent {
  /**
   * Its content is made, from which the driver is asked for the snapshot.
   *
   * @param name the content's
   * @param snapshotClass its class
   * @param volume the volume that it is made of
   * @param handle that volume's id at the driver
   * @param secret where credentials are
   */
  record CreateContent(
      String name, SnapshotClass snapshotClass, Volume volume, String handle, Secret secret)
      implements SnapshotStep {}

  /**
   * The content that it names becomes its own.
   *
   * @param content the content
   * @param className the class that the content gets, "" for the one that it has
   */
  record Bind(SnapshotContent content, String className) implements SnapshotStep {}

  /**
   * Its status says what the content's does.
   *
   * @param now the status
   * @param created whether it has been made since
   * @param ready whether it has become ready since
   */
  record Show(VolumeSnapshot.Status now, boolean created, boolean ready) implements SnapshotStep {}

  /** It goes: its content learns that. */
  record MarkContent(SnapshotContent content) implements SnapshotStep {}

  /**
   * Removes the being-deleted annotation of a content whose snapshot is not being deleted. An
   * earlier snapshot left the annotation, and it allows the driver to delete the data.
   */
  record UnmarkContent(SnapshotContent content) implements SnapshotStep {}

  /** It goes, and its content with it. */
  record DeleteContent(SnapshotContent content) implements SnapshotStep {}
}
