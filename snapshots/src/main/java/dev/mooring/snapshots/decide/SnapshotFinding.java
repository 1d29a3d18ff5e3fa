package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.VolumeSnapshot.Problem;
import java.util.List;
import java.util.Optional;

/**
 * Why a snapshot or group is in its state, from the next step of the snapshot controller.
 *
 * @param message the cause with the names of this object; "" for none
 */
public record SnapshotFinding(SnapshotReason reason, String message) {
  private SnapshotFinding(SnapshotReason reason) {
    this(reason, "");
  }

  // The snapshot is not being deleted.
  public static SnapshotFinding of(SnapshotView view) {
    boolean isReady = view.snapshot().status().ready();
    Optional<SnapshotFinding> refusal = findRefusal(SnapshotDecider.decide(view));
    if (refusal.isPresent() || isReady) {
      return refusal.orElse(new SnapshotFinding(SnapshotReason.SNAPSHOT_READY));
    }
    if (view.snapshot().isGroupMember()) {
      return new SnapshotFinding(
          SnapshotReason.SNAPSHOT_WAITS_FOR_GROUP, view.snapshot().status().group());
    }
    return view.content()
        .filter(content -> content.belongsTo(view.snapshot()))
        .map(SnapshotFinding::ofPending)
        .orElse(new SnapshotFinding(SnapshotReason.SNAPSHOT_WAITS_FOR_CONTROLLER));
  }

  // The view of a group without a content includes its claims. The group is not being deleted.
  public static SnapshotFinding of(GroupView view) {
    Optional<SnapshotFinding> refusal = findRefusal(GroupDecider.decide(view));
    if (refusal.isPresent() || view.group().status().ready()) {
      return refusal.orElse(new SnapshotFinding(SnapshotReason.SNAPSHOT_READY));
    }
    return view.content()
        .filter(content -> content.belongsTo(view.group()))
        .map(SnapshotFinding::ofPending)
        .orElse(new SnapshotFinding(SnapshotReason.SNAPSHOT_WAITS_FOR_CONTROLLER));
  }

  private static Optional<SnapshotFinding> findRefusal(Object step) {
    return step instanceof CommonStep.ReportError(String _, String message, boolean _)
        ? Optional.of(new SnapshotFinding(SnapshotReason.SNAPSHOT_REFUSED, message))
        : Optional.empty();
  }

  public static SnapshotFinding ofContent(SnapshotContent content) {
    return ofContent(
        ContentDecider.findFlaw(content), content.status().ready(), ofPending(content));
  }

  public static SnapshotFinding ofContent(GroupSnapshotContent content) {
    return ofContent(GroupDecider.findFlaw(content), content.status().ready(), ofPending(content));
  }

  private static SnapshotFinding ofContent(
      String flaw, boolean isReady, SnapshotFinding pendingFinding) {
    if (!flaw.isEmpty()) {
      return new SnapshotFinding(SnapshotReason.SNAPSHOT_REFUSED, flaw);
    }
    return isReady ? new SnapshotFinding(SnapshotReason.SNAPSHOT_READY) : pendingFinding;
  }

  private static SnapshotFinding ofPending(SnapshotContent content) {
    return ofPending(content.status().ready(), content.status().problem());
  }

  private static SnapshotFinding ofPending(GroupSnapshotContent content) {
    return ofPending(content.status().ready(), content.status().problem());
  }

  private static SnapshotFinding ofPending(boolean isContentReady, Problem problem) {
    if (isContentReady) {
      return new SnapshotFinding(SnapshotReason.SNAPSHOT_WAITS_FOR_CONTROLLER);
    }
    return problem.isNone()
        ? new SnapshotFinding(SnapshotReason.SNAPSHOT_WAITS_FOR_DRIVER)
        : new SnapshotFinding(SnapshotReason.SNAPSHOT_FAILING, problem.message());
  }

  // waitText: the reason why the snapshot controller keeps the object. Other programs remove the
  // foreign finalizers.
  public static SnapshotFinding ofDeletion(String waitText, List<String> foreignFinalizers) {
    if (!waitText.isEmpty()) {
      return new SnapshotFinding(SnapshotReason.SNAPSHOT_HELD, waitText);
    }
    return foreignFinalizers.isEmpty()
        ? new SnapshotFinding(SnapshotReason.SNAPSHOT_DELETING)
        : new SnapshotFinding(
            SnapshotReason.SNAPSHOT_HELD, "finalizers " + String.join(", ", foreignFinalizers));
  }
}
