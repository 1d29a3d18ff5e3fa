package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Optional;

/** Decides the next step for a group snapshot that is being deleted. */
public final class GroupDeletionDecider {
  public record GroupDeletionFacts(
      Optional<GroupSnapshotContent> content, Optional<VolumeSnapshot> restoredMember) {}

  private GroupDeletionDecider() {}

  public static boolean isHeld(GroupSnapshot group) {
    return group.meta().isBeingDeleted() && GroupDecider.isHeld(group);
  }

  public static String contentName(GroupSnapshot group) {
    if (!group.status().content().isEmpty()) {
      return group.status().content();
    }
    return group.sourceContent().isEmpty() ? group.generatedContentName() : group.sourceContent();
  }

  // Reports whether the content's policy applies. A pre-provisioned content stays until the group's
  // status names it, as in Kubernetes.
  private static boolean isPolicyApplied(GroupSnapshot group) {
    return !group.status().content().isEmpty() || group.sourceContent().isEmpty();
  }

  /**
   * Decides the next step. Members are deleted first, so that no restore starts and no member is
   * left behind without the content. Their finalizers keep them until the content is gone.
   *
   * @param members the VolumeSnapshots of the group
   */
  public static GroupStep decide(
      GroupSnapshot group, List<VolumeSnapshot> members, GroupDeletionFacts facts) {
    if (!isHeld(group)) {
      return CommonStep.NO_ACTION;
    }
    // a claim cannot start a restore from a deleted member
    Optional<VolumeSnapshot> memberInUse =
        facts
            .restoredMember()
            .filter(m -> !m.meta().isBeingDeleted())
            .or(() ->
                members.stream()
                    .filter(m -> m.meta().finalizers().contains(VolumeSnapshot.RESTORE_PROTECTION))
                    .findFirst());
    if (memberInUse.isPresent()) {
      return new CommonStep.Wait(
          "SnapshotDeletePending",
          "Snapshot %s belonging to VolumeGroupSnapshot %s is being used to restore a PVC"
              .formatted(memberInUse.get().key(), group.key()));
    }
    for (VolumeSnapshot member : members) {
      if (!member.meta().isBeingDeleted()) {
        return new GroupStep.DeleteMember(member);
      }
    }
    return deleteContent(group, facts.content().filter(content -> content.belongsTo(group)));
  }

  private static GroupStep deleteContent(
      GroupSnapshot group, Optional<GroupSnapshotContent> ownContent) {
    if (ownContent.isPresent()
        && !ownContent.get().meta().hasAnnotation(GroupSnapshotContent.BEING_DELETED)) {
      return new CommonStep.MarkContent(ownContent.get());
    }
    boolean mustDeleteContent =
        isPolicyApplied(group)
            && ownContent.filter(content -> content.policy() == ReclaimPolicy.DELETE).isPresent();
    if (!mustDeleteContent) {
      return new CommonStep.SetFinalizers(
          group.meta().finalizersWithout(GroupSnapshot.BOUND_PROTECTION));
    }
    return ownContent.get().meta().isBeingDeleted()
        ? CommonStep.NO_ACTION // the content's deletion requeues the group
        : new CommonStep.DeleteContent(ownContent.get());
  }
}
