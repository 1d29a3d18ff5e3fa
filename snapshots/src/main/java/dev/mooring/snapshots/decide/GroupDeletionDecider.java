package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Optional;

/** What is to be done next for a group that is being deleted. */
public final class GroupDeletionDecider {
  /**
   * What the server says, past every cache.
   *
   * @param content the content of the name that {@link #content} gives; empty if there is none
   * @param restored a member that a claim waits to be filled from; empty for none
   */
  public record Facts(Optional<GroupSnapshotContent> content, Optional<VolumeSnapshot> restored) {}

  private GroupDeletionDecider() {}

  /** Whether it waits for us to go. */
  public static boolean isHeld(GroupSnapshot group) {
    return group.meta().isBeingDeleted() && GroupDecider.isHeld(group);
  }

  /** The name of the content that may belong to the group. */
  public static String content(GroupSnapshot group) {
    if (!group.status().content().isEmpty()) {
      return group.status().content();
    }
    return group.sourceContent().isEmpty() ? group.nameOfOwnContent() : group.sourceContent();
  }

  /**
   * Whether the content goes with the group, as its policy says. A content that existed before the
   * group stays until the status of the group names it, as in Kubernetes.
   */
  private static boolean isShown(GroupSnapshot group) {
    return !group.status().content().isEmpty() || group.sourceContent().isEmpty();
  }

  /**
   * Decides. Its snapshots learn first that they go: none can be used from then on, and none is
   * forgotten with the content. They go after it.
   *
   * @param members the VolumeSnapshots that were made with it
   */
  public static GroupStep decide(GroupSnapshot group, List<VolumeSnapshot> members, Facts facts) {
    if (!isHeld(group)) {
      return CommonStep.REST;
    }
    // a claim that has not begun by the time a member goes never will
    Optional<VolumeSnapshot> read =
        facts
            .restored()
            .filter(m -> !m.meta().isBeingDeleted())
            .or(() ->
                members.stream()
                    .filter(m -> m.meta().finalizers().contains(VolumeSnapshot.RESTORE_PROTECTION))
                    .findFirst());
    if (read.isPresent()) {
      return new CommonStep.Wait(
          "SnapshotDeletePending",
          "Snapshot "
              + read.get().key()
              + " belonging to VolumeGroupSnapshot "
              + group.key()
              + " is being used to restore a PVC");
    }
    for (VolumeSnapshot member : members) {
      if (!member.meta().isBeingDeleted()) {
        return new GroupStep.DeleteMember(member);
      }
    }
    return contentGoes(group, facts.content().filter(content -> content.isOf(group)));
  }

  private static GroupStep contentGoes(GroupSnapshot group, Optional<GroupSnapshotContent> own) {
    if (own.isPresent() && !own.get().meta().has(GroupSnapshotContent.BEING_DELETED)) {
      return new GroupStep.MarkContent(own.get());
    }
    boolean goesWithIt =
        isShown(group)
            && own.filter(content -> content.policy() == ReclaimPolicy.DELETE).isPresent();
    if (!goesWithIt) {
      return new CommonStep.SetFinalizers(
          group.meta().finalizersWithout(GroupSnapshot.BOUND_PROTECTION));
    }
    return own.get().meta().isBeingDeleted()
        ? CommonStep.REST // the content's end brings it back
        : new GroupStep.DeleteContent(own.get());
  }
}
