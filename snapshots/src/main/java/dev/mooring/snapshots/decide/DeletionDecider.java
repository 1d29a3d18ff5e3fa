package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is to be done next for a snapshot that is being deleted. */
public final class DeletionDecider {
  /**
   * What the server says, past every cache.
   *
   * @param content the content of the name that {@link #content} gives; empty if there is none
   * @param restored a claim that waits for a volume that is filled from the snapshot; empty for
   *     none
   * @param group the group that it is a member of; empty if it is of none, or that is gone
   */
  public record Facts(
      Optional<SnapshotContent> content,
      Optional<ObjectKey> restored,
      Optional<GroupSnapshot> group) {}

  private static final Set<String> OURS =
      Set.of(
          VolumeSnapshot.SOURCE_PROTECTION,
          VolumeSnapshot.BOUND_PROTECTION,
          VolumeSnapshot.GROUP_PROTECTION);

  private DeletionDecider() {}

  /** Whether it waits for us to go. */
  public static boolean isHeld(VolumeSnapshot snapshot) {
    return snapshot.meta().isBeingDeleted()
        && snapshot.meta().finalizers().stream().anyMatch(OURS::contains);
  }

  /** The name of the content that may belong to the snapshot; "" for none. */
  public static String content(VolumeSnapshot snapshot) {
    if (!snapshot.status().content().isEmpty()) {
      return snapshot.status().content();
    }
    if (snapshot.isOfGroup()) {
      return GroupMember.contentOf(snapshot.meta().name());
    }
    return snapshot.sourceClaim().isEmpty()
        ? snapshot.sourceContent()
        : snapshot.nameOfOwnContent();
  }

  /**
   * Whether the content goes with the snapshot, as its policy says. A content that existed before
   * the snapshot stays until the status of the snapshot names it, as in Kubernetes.
   */
  private static boolean isShown(VolumeSnapshot snapshot) {
    return !snapshot.status().content().isEmpty()
        || snapshot.isOfGroup()
        || !snapshot.sourceClaim().isEmpty();
  }

  /** Decides. */
  public static SnapshotStep decide(VolumeSnapshot snapshot, Facts facts) {
    if (!isHeld(snapshot)) {
      return CommonStep.REST;
    }
    Optional<SnapshotContent> own = facts.content().filter(content -> content.isOf(snapshot));
    boolean read = // by a claim that waits, of this namespace or of another
        facts.restored().isPresent()
            || snapshot.meta().finalizers().contains(VolumeSnapshot.RESTORE_PROTECTION);
    if (own.isPresent() && isShown(snapshot) && read) {
      return new CommonStep.Wait(
          "SnapshotDeletePending", "Snapshot is being used to restore a PVC");
    }
    if (facts.group().isPresent()) {
      return withGroup(snapshot, facts.group().get());
    }
    if (own.isPresent() && !own.get().meta().has(SnapshotContent.BEING_DELETED)) {
      return new SnapshotStep.MarkContent(own.get());
    }
    boolean goesWithIt =
        isShown(snapshot)
            && own.filter(content -> content.policy() == ReclaimPolicy.DELETE).isPresent();
    if (goesWithIt && !own.get().meta().isBeingDeleted()) {
      return new SnapshotStep.DeleteContent(own.get());
    }
    List<String> left =
        snapshot.meta().finalizers().stream()
            .filter(f -> !f.equals(VolumeSnapshot.SOURCE_PROTECTION))
            .filter(f -> !f.equals(VolumeSnapshot.GROUP_PROTECTION))
            .filter(f -> goesWithIt || !f.equals(VolumeSnapshot.BOUND_PROTECTION))
            .toList();
    return left.equals(snapshot.meta().finalizers())
        ? CommonStep.REST // the content's end brings it back
        : new CommonStep.SetFinalizers(left);
  }

  /** It goes with its group, after it, and never alone. */
  private static SnapshotStep withGroup(VolumeSnapshot snapshot, GroupSnapshot group) {
    return group.meta().isBeingDeleted()
        ? CommonStep.REST // the group's end brings it back
        : new CommonStep.Wait(
            "SnapshotDeletePending",
            "deletion of the individual volume snapshot "
                + snapshot.key()
                + " is not allowed as it belongs to group snapshot "
                + group.key()
                + ". Deleting the group snapshot will trigger the deletion of all the individual volume snapshots that are part of the group.");
  }
}
