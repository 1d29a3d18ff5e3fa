package dev.mooring.snapshots.decide;

import dev.mooring.model.GroupSnapshotContent;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotContent;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.storage.decide.Condemnation;
import dev.mooring.storage.decide.CondemnationDecider;
import dev.mooring.storage.decide.CondemnationDecider.Terms;
import dev.mooring.storage.decide.CondemnationVerdict;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rules about contents and source claims. */
public final class ContentDecider {
  private ContentDecider() {}

  public sealed interface EndedDelay {
    record Keep() implements EndedDelay {}

    record Mark(SnapshotContent content) implements EndedDelay {}

    record Delete(SnapshotContent content) implements EndedDelay {}
  }

  public static boolean isWaiting(SnapshotContent content) {
    return Condemnation.isCondemned(content)
        && content.policy() == ReclaimPolicy.DELETE
        && !content.meta().isBeingDeleted();
  }

  /**
   * Decides about a content whose deadline has passed according to the cache.
   *
   * @param snapshot answer of the API server for the deleted snapshot
   * @param content answer of the API server for the content, read later
   */
  public static EndedDelay endDelay(
      SnapshotContent cached,
      Optional<VolumeSnapshot> snapshot,
      Optional<SnapshotContent> content,
      Instant now) {
    Optional<SnapshotContent> due =
        content
            .filter(live -> live.meta().uid().equals(cached.meta().uid()))
            .filter(ContentDecider::isWaiting)
            .filter(live -> snapshot.filter(live::belongsTo).isEmpty())
            .filter(live ->
                CondemnationDecider.decide(live, Terms.NONE, now)
                    instanceof CondemnationVerdict.Due);
    if (due.isEmpty()) {
      return new EndedDelay.Keep();
    }
    return due.get().meta().hasAnnotation(SnapshotContent.BEING_DELETED)
        ? new EndedDelay.Delete(due.get())
        : new EndedDelay.Mark(due.get());
  }

  public static String findFlaw(SnapshotContent content) {
    return content.source().volumeHandle().isEmpty() == content.source().snapshotHandle().isEmpty()
        ? "Exactly one of VolumeHandle and SnapshotHandle should be specified"
        : "";
  }

  public static boolean needsFinalizer(SnapshotContent content) {
    return findFlaw(content).isEmpty()
        && !content.snapshot().uid().isNone()
        && !content.meta().isBeingDeleted()
        && !content.meta().finalizers().contains(SnapshotContent.BOUND_PROTECTION);
  }

  /**
   * Reports whether the driver may be creating data that must be deleted with the content. Many
   * drivers can find it only while the source volume exists. So the source claim is kept, even
   * after the snapshot object is gone.
   */
  public static boolean needsItsVolume(SnapshotContent content) {
    return content.meta().hasAnnotation(SnapshotContent.BEING_CREATED)
        && content.policy() == ReclaimPolicy.DELETE;
  }

  public static boolean needsItsVolumes(GroupSnapshotContent content) {
    return content.meta().hasAnnotation(GroupSnapshotContent.BEING_CREATED)
        && content.policy() == ReclaimPolicy.DELETE;
  }

  public static boolean needsVolume(SnapshotContent content, Volume volume) {
    return needsItsVolume(content)
        && isOneOf(volume, content.driver(), List.of(content.source().volumeHandle()));
  }

  public static boolean needsVolume(GroupSnapshotContent content, Volume volume) {
    return needsItsVolumes(content)
        && isOneOf(volume, content.driver(), content.source().volumeHandles());
  }

  private static boolean isOneOf(Volume volume, String driver, List<String> handles) {
    return volume.source().type().equals("csi")
        && volume.source().attribute("driver").equals(driver)
        && handles.contains(volume.source().attribute("volumeHandle"));
  }

  /**
   * Reports whether a snapshot keeps its source claim: until it is ready, or deleted and released.
   * For members the group keeps the claims: a deleted member exists as long as its group, and its
   * status is no longer updated.
   */
  public static boolean needsItsClaim(VolumeSnapshot snapshot) {
    boolean hasEnded = // other programs may keep the object
        snapshot.meta().isBeingDeleted() && !DeletionDecider.isHeld(snapshot);
    return snapshot.isProtectingClaim() && !hasEnded;
  }
}
