package dev.mooring.expander.execute;

import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.expander.decide.ExpandDecider;
import dev.mooring.expander.decide.ResizeConditions;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Kind;
import dev.mooring.model.Migration;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.time.Time;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes how far the growth of a claim's volume is. Thread-safe. */
final class ClaimSizes {
  private static final String STATUS = "status";
  private static final String STATES = "allocatedResourceStatuses";
  private static final String STORAGE = "storage";
  private static final String NODE_HAS_TO =
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

  private final ClusterWriter writer;
  private final Time time;

  ClaimSizes(ClusterWriter writer, Time time) {
    this.writer = writer;
    this.time = time;
  }

  /** The claim says what it is going to be given, before anything is done. */
  WriteResult<Claim> begin(Claim claim, Quantity target, String resizer)
      throws InterruptedException {
    Document patch =
        Document.patchOf(claim.meta())
            .set(resizer, "metadata", "annotations", Migration.RESIZER)
            .set(ResizeState.CONTROLLER_IN_PROGRESS.text(), STATUS, STATES, STORAGE)
            .set(target.toString(), STATUS, "allocatedResources", STORAGE);
    return patchStatus(
        claim,
        patch,
        ResizeConditions.only(claim.status().conditions(), holds(ResizeConditions.RESIZING, "")));
  }

  /** The volume has grown; its file system has not. */
  WriteResult<Claim> nodeHasTo(Claim claim) throws InterruptedException {
    Document patch =
        Document.patchOf(claim.meta())
            .set(ResizeState.NODE_PENDING.text(), STATUS, STATES, STORAGE);
    return patchStatus(
        claim,
        patch,
        ResizeConditions.also(
            claim.status().conditions(), holds(ResizeConditions.NODE_PENDING, NODE_HAS_TO)));
  }

  /** The claim has what it was to be given. */
  WriteResult<Claim> finish(Claim claim, Quantity capacity) throws InterruptedException {
    Document patch =
        Document.patchOf(claim.meta())
            .set(capacity.toString(), STATUS, "capacity", STORAGE)
            .set(null, STATUS, STATES);
    return patchStatus(claim, patch, ResizeConditions.without(claim.status().conditions()));
  }

  /**
   * The volume has grown.
   *
   * @param before what the claim had, which the volume remembers while its file system has not
   *     grown; null if there is nothing to remember. What it remembers already stays.
   */
  WriteResult<Volume> grown(Volume volume, Quantity capacity, @Nullable Quantity before)
      throws InterruptedException {
    Document patch =
        Document.patchOf(volume.meta()).set(capacity.toString(), "spec", "capacity", STORAGE);
    if (before != null && !volume.meta().has(ExpandDecider.PRE_RESIZE_CAPACITY)) {
      patch.set(before.toString(), "metadata", "annotations", ExpandDecider.PRE_RESIZE_CAPACITY);
    }
    return writer.patch(Kind.VOLUME, volume.key(), patch);
  }

  /** The volume remembers what the claim has, and does not yet remember anything. */
  WriteResult<Volume> mark(Volume volume, Quantity before) throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta())
            .set(before.toString(), "metadata", "annotations", ExpandDecider.PRE_RESIZE_CAPACITY));
  }

  /** Nothing is left to be done at the volume. */
  WriteResult<Volume> unmark(Volume volume) throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta())
            .set(null, "metadata", "annotations", ExpandDecider.PRE_RESIZE_CAPACITY));
  }

  private WriteResult<Claim> patchStatus(Claim claim, Document patch, List<Condition> conditions)
      throws InterruptedException {
    return writer.patchStatus(Kind.CLAIM, claim.key(), ClaimConditions.set(patch, conditions));
  }

  private Condition holds(String type, String message) {
    return new Condition(type, "True", "", message, 0, time.now().getEpochSecond());
  }
}
