package dev.mooring.storage;

import dev.mooring.cluster.ClaimConditions;
import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Claim.ResizeState;
import dev.mooring.model.Kind;
import dev.mooring.model.Migration;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.storage.decide.ResizeConditions;
import dev.mooring.time.Time;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes down how far the growth of a claim's volume is (spec/expander.md 2.3 and 5): before
 * anything is done, and step by step afterwards, so that a crash, a failure or a smaller wish at
 * any point is gone on from. Thread-safe.
 */
public final class GrowthWriter {
  private static final String NO_NODE = "volume.kubernetes.io/node-expansion-not-required";
  private static final String STATUS = "status";
  private static final String STATES = "allocatedResourceStatuses";
  private static final String STORAGE = "storage";
  private static final String NODE_HAS_TO =
      "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";

  /** Writes what has been done, which is not done again only because the write met a conflict. */
  @FunctionalInterface
  public interface Reports {
    /**
     * Writes the claim's status.
     *
     * @param report the patch, worked out from a claim
     */
    WriteResult<Claim> write(Claim claim, Function<Claim, Document> report)
        throws InterruptedException;
  }

  private final ClusterWriter writer;
  private final Time time;
  private final GrowthPolicy policy;
  private final Reports reports;

  /** One whose reports are written once: after a conflict the whole is done again. */
  public GrowthWriter(ClusterWriter writer, Time time, GrowthPolicy policy) {
    this(
        writer,
        time,
        policy,
        (claim, report) -> writer.patchStatus(Kind.CLAIM, claim.key(), report.apply(claim)));
  }

  /** One that writes its reports so. */
  public GrowthWriter(ClusterWriter writer, Time time, GrowthPolicy policy, Reports reports) {
    this.writer = writer;
    this.time = time;
    this.policy = policy;
    this.reports = reports;
  }

  /**
   * The claim says what it is going to be given, before anything is done.
   *
   * @param resizer the name that the claim is marked with; "" for none
   */
  public WriteResult<Claim> begin(Claim claim, Quantity target, String resizer)
      throws InterruptedException {
    Document patch = begun(claim, target).set(inProgress(), STATUS, STATES, STORAGE);
    if (!resizer.isEmpty()) {
      patch.set(resizer, "metadata", "annotations", Migration.RESIZER);
    }
    return writer.patchStatus(Kind.CLAIM, claim.key(), resizing(claim, patch, false));
  }

  /** The same for a claim that says so already: its state and other conditions stay. */
  public WriteResult<Claim> beginAgain(Claim claim, Quantity target) throws InterruptedException {
    Document patch = begun(claim, target);
    return writer.patchStatus(Kind.CLAIM, claim.key(), resizing(claim, patch, true));
  }

  private Document begun(Claim claim, Quantity target) {
    Document patch =
        Document.patchOf(claim.meta())
            .set(target.toString(), STATUS, "allocatedResources", STORAGE);
    return policy.flag() == GrowthPolicy.NodeFlag.WRITTEN
        ? patch.set(null, "metadata", "annotations", NO_NODE)
        : patch;
  }

  private static String inProgress() {
    return ResizeState.CONTROLLER_IN_PROGRESS.text();
  }

  private Document resizing(Claim claim, Document patch, boolean again) {
    return with(patch, claim, ResizeConditions.RESIZING, "", again);
  }

  /**
   * Volume and claim say that the volume has grown.
   *
   * @param growing the claim, as it says that it grows
   * @param size how large the volume is
   * @param needsNode whether its file system has yet to grow; the volume remembers what the claim
   *     had until it has. What it remembers already stays.
   */
  public GrowthResult grown(Claim growing, Volume volume, Quantity size, boolean needsNode)
      throws InterruptedException {
    Document patch =
        Document.patchOf(volume.meta()).set(size.toString(), "spec", "capacity", STORAGE);
    if (needsNode && !volume.meta().has(ResizeConditions.PRE_RESIZE)) {
      patch.set(
          growing.status().storage().toString(),
          "metadata",
          "annotations",
          ResizeConditions.PRE_RESIZE);
    }
    WriteResult<Volume> grown = writer.patch(Kind.VOLUME, volume.key(), patch);
    if (grown.written().isEmpty()) {
      return new GrowthResult.Unwritten(
          "writing the size of volume " + volume.meta().name(), grown);
    }
    WriteResult<Claim> ended = needsNode ? nodeHasTo(growing) : finish(growing, size);
    return ended.written().isEmpty()
        ? new GrowthResult.Unwritten("writing how large claim " + growing.key() + " is", ended)
        : new GrowthResult.Written();
  }

  /** The volume has grown; its file system has not. */
  public WriteResult<Claim> nodeHasTo(Claim claim) throws InterruptedException {
    return reports.write(
        claim,
        now ->
            with(
                Document.patchOf(now.meta())
                    .set(ResizeState.NODE_PENDING.text(), STATUS, STATES, STORAGE),
                now,
                ResizeConditions.NODE_PENDING,
                NODE_HAS_TO,
                true));
  }

  /** The claim has what it was to be given. */
  private WriteResult<Claim> finish(Claim claim, Quantity size) throws InterruptedException {
    return reports.write(
        claim,
        now -> {
          Document patch =
              Document.patchOf(now.meta())
                  .set(size.toString(), STATUS, "capacity", STORAGE)
                  .set(null, STATUS, STATES);
          if (policy.flag() == GrowthPolicy.NodeFlag.WRITTEN) {
            patch.set("true", "metadata", "annotations", NO_NODE);
          }
          return ClaimConditions.set(patch, ResizeConditions.without(now.status().conditions()));
        });
  }

  /**
   * The storage has refused it for good.
   *
   * @param infeasible whether another size has to be asked for
   */
  public WriteResult<Claim> refused(Claim claim, String why, boolean infeasible)
      throws InterruptedException {
    return reports.write(
        claim,
        now -> {
          Document patch = Document.patchOf(now.meta());
          if (infeasible) {
            patch.set(ResizeState.CONTROLLER_INFEASIBLE.text(), STATUS, STATES, STORAGE);
          }
          return with(patch, now, ResizeConditions.CONTROLLER_ERROR, why, true);
        });
  }

  /** The volume remembers what the claim has, and does not yet remember anything. */
  public WriteResult<Volume> mark(Volume volume, Quantity before) throws InterruptedException {
    return remember(volume, before.toString());
  }

  /** Nothing is left to be done at the volume. */
  public WriteResult<Volume> unmark(Volume volume) throws InterruptedException {
    return remember(volume, null);
  }

  private WriteResult<Volume> remember(Volume volume, @Nullable String before)
      throws InterruptedException {
    return writer.patch(
        Kind.VOLUME,
        volume.key(),
        Document.patchOf(volume.meta())
            .set(before, "metadata", "annotations", ResizeConditions.PRE_RESIZE));
  }

  /** The patch, by which that condition holds too; others of growth go unless they are kept. */
  private Document with(
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
