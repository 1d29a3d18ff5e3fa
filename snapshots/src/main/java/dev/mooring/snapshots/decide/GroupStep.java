package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotClass;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;

/** Next step for a group snapshot. */
public sealed interface GroupStep
    permits CommonStep,
        GroupStep.ReadClaims,
        GroupStep.CreateContent,
        GroupStep.CreateMember,
        GroupStep.CreateMemberContent,
        GroupStep.WriteMemberContent,
        GroupStep.BindMember,
        GroupStep.WriteStatus,
        GroupStep.DeleteMember {
  // List the claims that the selector matches, then decide again.
  record ReadClaims() implements GroupStep {}

  record CreateContent(
      String name, GroupSnapshotClass groupClass, List<String> handles, Secret secret)
      implements GroupStep {}

  record CreateMember(String name, String claim) implements GroupStep {}

  // Create the VolumeSnapshotContent of a member.
  record CreateMemberContent(
      GroupSnapshotContent content, GroupMember member, VolumeSnapshot snapshot)
      implements GroupStep {}

  // Write the driver's data to the content of a member.
  record WriteMemberContent(
      GroupSnapshotContent content, GroupMember member, SnapshotContent memberContent)
      implements GroupStep {}

  // Write the content and the group to the status of a member.
  record BindMember(VolumeSnapshot snapshot, String content) implements GroupStep {}

  record WriteStatus(GroupSnapshot.Status newStatus, boolean becomesCreated, boolean becomesReady)
      implements GroupStep {}

  record DeleteMember(VolumeSnapshot snapshot) implements GroupStep {}
}
