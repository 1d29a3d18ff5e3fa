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
 * Records the progress of a volume's expansion in claim and volume (spec/expander.md 2.3 and 5). It
 * writes before the first step and after each step, so that the expansion can resume after a crash,
 * a failure or a reduced request. Thread-safe.
 */
public final class ExpansionWriter {
  private static final String NO_NODE_EXPANSION =
      "volume.kubernetes.io/node-expansion-not-required";
  private static final String STATUS = "status";
  private static final String STATES = "allocatedResourceStatuses";
  private static final String STORAGE = "storage";
  private static final String NODE_PENDING_MESSAGE =
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

  /**
   * Writes progress that has been made. A conflict alone must not cause a repetition of the step.
   */
  @FunctionalInterface
  public interface Reports {
    WriteResult<Claim> write(Claim claim, Function<Claim, Document> report)
        throws InterruptedException;
  }

  private final ClusterWriter writer;
  private final Time time;
  private final ExpansionPolicy policy;
  private final Reports reports;

  /** Creates a writer that sends each report once; after a conflict the caller repeats the step. */
  public ExpansionWriter(ClusterWriter writer, Time time, ExpansionPolicy policy) {
    this(
        writer,
        time,
        policy,
        (claim, report) -> writer.patchStatus(Kind.CLAIM, claim.key(), report.apply(claim)));
  }

  public ExpansionWriter(ClusterWriter writer, Time time, ExpansionPolicy policy, Reports reports) {
    this.writer = writer;
    this.time = time;
    this.policy = policy;
    this.reports = reports;
  }

  public WriteResult<Claim> begin(Claim claim, Quantity target, String resizer)
      throws InterruptedException {
    Document patch = targetPatch(claim, target).set(inProgress(), STATUS, STATES, STORAGE);
    if (!resizer.isEmpty()) {
      patch.set(resizer, "metadata", "annotations", CsiMigration.RESIZER);
    }
    return writer.patchStatus(Kind.CLAIM, claim.key(), resizing(claim, patch, false));
  }

  public WriteResult<Claim> beginAgain(Claim claim, Quantity target) throws InterruptedException {
    Document patch = targetPatch(claim, target);
    return writer.patchStatus(Kind.CLAIM, claim.key(), resizing(claim, patch, true));
  }

  private Document targetPatch(Claim claim, Quantity target) {
    Document patch =
        Document.patchOf(claim.meta())
            .set(target.toString(), STATUS, "allocatedResources", STORAGE);
    return policy.flag() == ExpansionPolicy.NodeFlag.WRITTEN
        ? patch.set(null, "metadata", "annotations", NO_NODE_EXPANSION)
        : patch;
  }

  private static String inProgress() {
    return ResizeState.CONTROLLER_IN_PROGRESS.text();
  }

  private Document resizing(Claim claim, Document patch, boolean keepsOthers) {
    return withCondition(patch, claim, ResizeConditions.RESIZING, "", keepsOthers);
  }

  /**
   * Records in volume and claim that the volume has grown.
   *
   * @param growing claim in its last written version
   * @param size new size of the volume
   * @param needsNode whether a node must still grow the file system. The volume then stores the
   *     claim's previous capacity, unless it already stores one
   */
  public ExpansionResult grown(Claim growing, Volume volume, Quantity size, boolean needsNode)
      throws InterruptedException {
    Document patch =
        Document.patchOf(volume.meta()).set(size.toString(), "spec", "capacity", STORAGE);
    if (needsNode && !volume.meta().hasAnnotation(ResizeConditions.PRE_RESIZE)) {
      patch.set(
          growing.status().storage().toString(),
          "metadata",
          "annotations",
          ResizeConditions.PRE_RESIZE);
    }
    WriteResult<Volume> grown = writer.patch(Kind.VOLUME, volume.key(), patch);
    if (grown.written().isEmpty()) {
      return new ExpansionResult.Unwritten(
          "writing the size of volume " + volume.meta().name(), grown);
    }
    WriteResult<Claim> ended = needsNode ? nodeHasTo(growing) : finish(growing, size);
    return ended.written().isEmpty()
        ? new ExpansionResult.Unwritten("writing the capacity of claim " + growing.key(), ended)
        : new ExpansionResult.Written();
  }

  public WriteResult<Claim> nodeHasTo(Claim claim) throws InterruptedException {
    return reports.write(
        claim,
        now ->
            withCondition(
                Document.patchOf(now.meta())
                    .set(ResizeState.NODE_PENDING.text(), STATUS, STATES, STORAGE),
                now,
                ResizeConditions.NODE_PENDING,
                NODE_PENDING_MESSAGE,
                true));
  }

  private WriteResult<Claim> finish(Claim claim, Quantity size) throws InterruptedException {
    return reports.write(
        claim,
        now -> {
          Document patch =
              Document.patchOf(now.meta())
                  .set(size.toString(), STATUS, "capacity", STORAGE)
                  .set(null, STATUS, STATES);
          if (policy.flag() == ExpansionPolicy.NodeFlag.WRITTEN) {
            patch.set("true", "metadata", "annotations", NO_NODE_EXPANSION);
          }
          return ClaimConditions.set(patch, ResizeConditions.without(now.status().conditions()));
        });
  }

  public WriteResult<Claim> refused(Claim claim, String why, boolean infeasible)
      throws InterruptedException {
    return reports.write(
        claim,
        now -> {
          Document patch = Document.patchOf(now.meta());
          if (infeasible) {
            patch.set(ResizeState.CONTROLLER_INFEASIBLE.text(), STATUS, STATES, STORAGE);
          }
          return withCondition(patch, now, ResizeConditions.CONTROLLER_ERROR, why, true);
        });
  }

  public WriteResult<Volume> mark(Volume volume, Quantity before) throws InterruptedException {
    return writePreResize(volume, before.toString());
  }

  public WriteResult<Volume> unmark(Volume volume) throws InterruptedException {
    return writePreResize(volume, null);
  }

  private WriteResult<Volume> writePreResize(Volume volume, @Nullable String before)
      throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta())
            .set(before, "metadata", "annotations", ResizeConditions.PRE_RESIZE));
  }

  private Document withCondition(
      Document patch, Claim claim, String type, String message, boolean keepsOthers) {
    Condition now = new Condition(type, "True", "", message, 0, time.now().getEpochSecond());
    List<Condition> before = claim.status().conditions();
    return ClaimConditions.set(
        patch,
        switch (policy.held()) {
          case RENEWED -> ResizeConditions.renewed(before, now, keepsOthers);
          case STAYS ->
              keepsOthers ? ResizeConditions.also(before, now) : ResizeConditions.only(before, now);
        });
  }
}
