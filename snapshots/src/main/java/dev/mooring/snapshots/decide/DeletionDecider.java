package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshot;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.storage.decide.CondemnationDecider;
import dev.mooring.storage.decide.CondemnationDecider.Terms;
import dev.mooring.storage.decide.CondemnationVerdict;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides the next step for a snapshot that is being deleted. */
public final class DeletionDecider {
  public record DeletionFacts(
      Optional<SnapshotContent> content,
      Optional<ObjectKey> restoringClaim,
      Optional<GroupSnapshot> group,
      DelayView delay) {}

  public record DelayView(Terms terms, Instant at) {}

  private static final Set<String> OUR_FINALIZERS =
      Set.of(
          VolumeSnapshot.SOURCE_PROTECTION,
          VolumeSnapshot.BOUND_PROTECTION,
          VolumeSnapshot.GROUP_PROTECTION);

  private DeletionDecider() {}

  public static boolean isHeld(VolumeSnapshot snapshot) {
    return snapshot.meta().isBeingDeleted()
        && snapshot.meta().finalizers().stream().anyMatch(OUR_FINALIZERS::contains);
  }

  public static String contentName(VolumeSnapshot snapshot) {
    if (!snapshot.status().content().isEmpty()) {
      return snapshot.status().content();
    }
    if (snapshot.isGroupMember()) {
      return GroupMember.contentName(snapshot.meta().name());
    }
    return snapshot.sourceClaim().isEmpty()
        ? snapshot.sourceContent()
        : snapshot.generatedContentName();
  }

  // Reports whether the content's policy applies. A pre-provisioned content stays until the
  // snapshot's status names it, as in Kubernetes.
  private static boolean isPolicyApplied(VolumeSnapshot snapshot) {
    return !snapshot.status().content().isEmpty()
        || snapshot.isGroupMember()
        || !snapshot.sourceClaim().isEmpty();
  }

  public static SnapshotStep decide(VolumeSnapshot snapshot, DeletionFacts facts) {
    if (!isHeld(snapshot)) {
      return CommonStep.NO_ACTION;
    }
    Optional<SnapshotContent> ownContent =
        facts.content().filter(content -> content.belongsTo(snapshot));
    boolean isRestored = // a claim of any namespace waits for a restore
        facts.restoringClaim().isPresent()
            || snapshot.meta().finalizers().contains(VolumeSnapshot.RESTORE_PROTECTION);
    if (ownContent.isPresent() && isPolicyApplied(snapshot) && isRestored) {
      return new CommonStep.Wait(
          "SnapshotDeletePending", "Snapshot is being used to restore a PVC");
    }
    if (facts.group().isPresent()) {
      return waitForGroup(snapshot, facts.group().get());
    }
    Optional<SnapshotStep> delayed =
        ownContent
            .filter(content -> isPolicyApplied(snapshot) && mayWait(snapshot, content))
            .flatMap(content -> decideDelay(snapshot, content, facts.delay()));
    return delayed.orElseGet(() -> applyPolicy(snapshot, ownContent));
  }

  private static Optional<SnapshotStep> decideDelay(
      VolumeSnapshot snapshot, SnapshotContent content, DelayView delay) {
    return switch (CondemnationDecider.decide(content, delay.terms(), delay.at())) {
      case CondemnationVerdict.Condemn(Instant until) ->
          Optional.of(new SnapshotStep.CondemnContent(content, until));
      case CondemnationVerdict.Wait _ ->
          Optional.of(release(snapshot)); // the content's deadline decides about the data
      case CondemnationVerdict.Keep(String message) ->
          Optional.of(new CommonStep.Wait("SnapshotDeletePending", message));
      case CondemnationVerdict.Due() -> Optional.empty();
    };
  }

  private static SnapshotStep applyPolicy(
      VolumeSnapshot snapshot, Optional<SnapshotContent> ownContent) {
    if (ownContent.isPresent()
        && !ownContent.get().meta().hasAnnotation(SnapshotContent.BEING_DELETED)) {
      return new CommonStep.MarkContent(ownContent.get());
    }
    boolean mustDeleteContent =
        isPolicyApplied(snapshot)
            && ownContent.filter(content -> content.policy() == ReclaimPolicy.DELETE).isPresent();
    if (mustDeleteContent && !ownContent.get().meta().isBeingDeleted()) {
      return new CommonStep.DeleteContent(ownContent.get());
    }
    List<String> remaining =
        snapshot.meta().finalizers().stream()
            .filter(f -> !f.equals(VolumeSnapshot.SOURCE_PROTECTION))
            .filter(f -> !f.equals(VolumeSnapshot.GROUP_PROTECTION))
            .filter(f -> mustDeleteContent || !f.equals(VolumeSnapshot.BOUND_PROTECTION))
            .toList();
    return remaining.equals(snapshot.meta().finalizers())
        ? CommonStep.NO_ACTION // the content's deletion requeues the snapshot
        : new CommonStep.SetFinalizers(remaining);
  }

  // Members wait for nothing but their group. Without a handle there is no data to restore.
  private static boolean mayWait(VolumeSnapshot snapshot, SnapshotContent content) {
    return content.policy() == ReclaimPolicy.DELETE
        && !content.status().handle().isEmpty()
        && !content.meta().isBeingDeleted()
        && !content.meta().hasAnnotation(SnapshotContent.BEING_DELETED)
        && !snapshot.isGroupMember();
  }

  private static CommonStep release(VolumeSnapshot snapshot) {
    return new CommonStep.SetFinalizers(
        snapshot.meta().finalizers().stream().filter(f -> !OUR_FINALIZERS.contains(f)).toList());
  }

  // A member is deleted after its group, never alone.
  private static SnapshotStep waitForGroup(VolumeSnapshot snapshot, GroupSnapshot group) {
    return group.meta().isBeingDeleted()
        ? CommonStep.NO_ACTION // the group's deletion requeues the snapshot
        : new CommonStep.Wait(
            "SnapshotDeletePending",
            "deletion of the individual volume snapshot "
                + snapshot.key()
                + " is not allowed as it belongs to group snapshot "
                + group.key()
                + ". Deleting the group snapshot will trigger the deletion of all the individual volume snapshots that are part of the group.");
  }
}
