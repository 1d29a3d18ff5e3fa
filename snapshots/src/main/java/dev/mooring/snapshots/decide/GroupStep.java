package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;

/** The one thing that is to be done next for a group. */
public sealed interface GroupStep
    permits CommonStep,
        GroupStep.AskForClaims,
        GroupStep.CreateContent,
        GroupStep.Bind,
        GroupStep.CreateMember,
        GroupStep.CreateMemberContent,
        GroupStep.ShowMemberContent,
        GroupStep.BindMember,
        GroupStep.Show,
        GroupStep.MarkContent,
        GroupStep.UnmarkContent,
        GroupStep.DeleteContent,
        GroupStep.DeleteMember {
  /** The claims that its selector chooses have to be asked for, and it is decided again. */
  record AskForClaims() implements GroupStep {}

  /**
   * Its content is made, from which the driver is asked for the group.
   *
   * @param name the content's
   * @param groupClass its class
   * @param handles the volumes' ids at the driver
   * @param secret where credentials are
   */
  record CreateContent(
      String name, GroupSnapshotClass groupClass, List<String> handles, Secret secret)
      implements GroupStep {}

  /**
   * The content that it names becomes its own.
   *
   * @param content the content
   * @param className the class that the content gets, "" for the one that it has
   */
  record Bind(GroupSnapshotContent content, String className) implements GroupStep {}

  /**
   * One of its snapshots gets a VolumeSnapshot.
   *
   * @param name that one's
   * @param claim of which claim it was made, "" if that is not known any more
   */
  record CreateMember(String name, String claim) implements GroupStep {}

  /** One of its snapshots gets a VolumeSnapshotContent. */
  record CreateMemberContent(
      GroupSnapshotContent content, GroupMember member, VolumeSnapshot snapshot)
      implements GroupStep {}

  /** That one says what the driver said. */
  record ShowMemberContent(
      GroupSnapshotContent content, GroupMember member, SnapshotContent memberContent)
      implements GroupStep {}

  /** The VolumeSnapshot says which its content is, and whose member it is. */
  record BindMember(VolumeSnapshot snapshot, String content) implements GroupStep {}

  /**
   * Its status says what the content's does.
   *
   * @param now the status
   * @param created whether it has been made since
   * @param ready whether it has become ready since
   */
  record Show(GroupSnapshot.Status now, boolean created, boolean ready) implements GroupStep {}

  /** It goes: its content learns that. */
  record MarkContent(GroupSnapshotContent content) implements GroupStep {}

  /** Removes the being-deleted annotation that an earlier group left on the content. */
  record UnmarkContent(GroupSnapshotContent content) implements GroupStep {}

  /** It goes, and its content with it. */
  record DeleteContent(GroupSnapshotContent content) implements GroupStep {}

  /** It goes, and its snapshots with it. */
  record DeleteMember(VolumeSnapshot snapshot) implements GroupStep {}
}
