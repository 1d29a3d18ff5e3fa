package dev.mooring.storage;

import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.ResizeConditions;
import dev.mooring.time.Time;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records the progress of a volume's expansion in claim and volume. It writes before the first step
 * and after each step, so that the expansion can resume after a crash, a failure or a reduced
 * request. Thread-safe.
 */
public final class ExpansionWriter {
  private static final String NO_NODE_EXPANSION =
      "volume.kubernetes.io/node-expansion-not-required";
  private static final String STATUS = "status";
  private static final String RESIZE_STATUSES = "allocatedResourceStatuses";
  private static final String STORAGE = "storage";
  private static final String NODE_PENDING_MESSAGE =
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

  /**
   * Writes progress that has been made. A conflict alone must not cause a repetition of the step.
   */
  @FunctionalInterface
  public interface ReportSender {
    WriteResult<Claim> send(Claim claim, Function<Claim, Document> report)
        throws InterruptedException;
  }

  private final ClusterWriter writer;
  private final Time time;
  private final ExpansionPolicy policy;
  private final ReportSender sender;

  /** Creates a writer that sends each report once; after a conflict the caller repeats the step. */
  public ExpansionWriter(ClusterWriter writer, Time time, ExpansionPolicy policy) {
    this(
        writer,
        time,
        policy,
        (claim, report) -> writer.patchStatus(Kind.CLAIM, claim.key(), report.apply(claim)));
  }

  public ExpansionWriter(
      ClusterWriter writer, Time time, ExpansionPolicy policy, ReportSender sender) {
    this.writer = writer;
    this.time = time;
    this.policy = policy;
    this.sender = sender;
  }

  public WriteResult<Claim> startExpansion(Claim claim, Quantity target, String resizer)
      throws InterruptedException {
    Document patch =
        targetPatch(claim, target).set(inProgressStatus(), STATUS, RESIZE_STATUSES, STORAGE);
    if (!resizer.isEmpty()) {
      patch.set(resizer, "metadata", "annotations", CsiMigration.RESIZER);
    }
    return writer.patchStatus(Kind.CLAIM, claim.key(), resizingPatch(claim, patch, false));
  }

  public WriteResult<Claim> resumeExpansion(Claim claim, Quantity target)
      throws InterruptedException {
    Document patch = targetPatch(claim, target);
    return writer.patchStatus(Kind.CLAIM, claim.key(), resizingPatch(claim, patch, true));
  }

  private Document targetPatch(Claim claim, Quantity target) {
    Document patch =
        Document.patchOf(claim.meta())
            .set(target.toString(), STATUS, "allocatedResources", STORAGE);
    return policy.nodeFlag() == ExpansionPolicy.NodeFlag.WRITTEN
        ? patch.set(null, "metadata", "annotations", NO_NODE_EXPANSION)
        : patch;
  }

  private static String inProgressStatus() {
    return ResizeState.CONTROLLER_IN_PROGRESS.text();
  }

  private Document resizingPatch(Claim claim, Document patch, boolean keepsOthers) {
    return withCondition(patch, claim, ResizeConditions.RESIZING, "", keepsOthers);
  }

  /**
   * Records in volume and claim that the volume has grown.
   *
   * @param claim claim in its last written version
   * @param size new size of the volume
   * @param needsNode whether a node must still grow the file system. The volume then stores the
   *     claim's previous capacity, unless it already stores one
   */
  public ExpansionResult recordGrowth(Claim claim, Volume volume, Quantity size, boolean needsNode)
      throws InterruptedException {
    Document patch =
        Document.patchOf(volume.meta()).set(size.toString(), "spec", "capacity", STORAGE);
    if (needsNode && !volume.meta().hasAnnotation(ResizeConditions.PRE_RESIZE)) {
      patch.set(
          claim.status().storage().toString(),
          "metadata",
          "annotations",
          ResizeConditions.PRE_RESIZE);
    }
    WriteResult<Volume> volumeResult = writer.patch(Kind.VOLUME, volume.key(), patch);
    if (volumeResult.toOptional().isEmpty()) {
      return new ExpansionResult.Unwritten(
          "writing the size of volume " + volume.meta().name(), volumeResult);
    }
    WriteResult<Claim> claimResult =
        needsNode ? requestNodeExpansion(claim) : recordFinished(claim, size);
    return claimResult.toOptional().isEmpty()
        ? new ExpansionResult.Unwritten("writing the capacity of claim " + claim.key(), claimResult)
        : new ExpansionResult.Written();
  }

  public WriteResult<Claim> requestNodeExpansion(Claim claim) throws InterruptedException {
    return sender.send(
        claim,
        latest ->
            withCondition(
                Document.patchOf(latest.meta())
                    .set(ResizeState.NODE_PENDING.text(), STATUS, RESIZE_STATUSES, STORAGE),
                latest,
                ResizeConditions.NODE_PENDING,
                NODE_PENDING_MESSAGE,
                true));
  }

  private WriteResult<Claim> recordFinished(Claim claim, Quantity size)
      throws InterruptedException {
    return sender.send(
        claim,
        latest -> {
          Document patch =
              Document.patchOf(latest.meta())
                  .set(size.toString(), STATUS, "capacity", STORAGE)
                  .set(null, STATUS, RESIZE_STATUSES, STORAGE);
          if (policy.nodeFlag() == ExpansionPolicy.NodeFlag.WRITTEN) {
            patch.set("true", "metadata", "annotations", NO_NODE_EXPANSION);
          }
          return ClaimConditions.set(
              patch, ResizeConditions.withoutResizeConditions(latest.status().conditions()));
        });
  }

  public WriteResult<Claim> recordFailure(Claim claim, String message, boolean isInfeasible)
      throws InterruptedException {
    return sender.send(
        claim,
        latest -> {
          Document patch = Document.patchOf(latest.meta());
          if (isInfeasible) {
            patch.set(ResizeState.CONTROLLER_INFEASIBLE.text(), STATUS, RESIZE_STATUSES, STORAGE);
          }
          return withCondition(patch, latest, ResizeConditions.CONTROLLER_ERROR, message, true);
        });
  }

  public WriteResult<Volume> storePreviousCapacity(Volume volume, Quantity previousCapacity)
      throws InterruptedException {
    return writePreResize(volume, previousCapacity.toString());
  }

  public WriteResult<Volume> removePreviousCapacity(Volume volume) throws InterruptedException {
    return writePreResize(volume, null);
  }

  private WriteResult<Volume> writePreResize(Volume volume, @Nullable String previousCapacity)
      throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta())
            .set(previousCapacity, "metadata", "annotations", ResizeConditions.PRE_RESIZE));
  }

  private Document withCondition(
      Document patch, Claim claim, String type, String message, boolean keepsOthers) {
    Condition condition = new Condition(type, "True", "", message, 0, time.now().getEpochSecond());
    List<Condition> existing = claim.status().conditions();
    return ClaimConditions.set(
        patch,
        switch (policy.existingCondition()) {
          case RENEWED -> ResizeConditions.renew(existing, condition, keepsOthers);
          case STAYS ->
              keepsOthers
                  ? ResizeConditions.add(existing, condition)
                  : ResizeConditions.replaceAll(existing, condition);
        });
  }
}
