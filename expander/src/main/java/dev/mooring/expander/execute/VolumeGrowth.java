package dev.mooring.expander.execute;

import dev.mooring.cluster.ClusterPorts;
import dev.mooring.cluster.WriteResult;
import dev.mooring.expander.decide.ExpandDecider;
import dev.mooring.expander.state.GrowerFinder.VolumeGrower;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.operation.JobResult;
import dev.mooring.operation.KeyedOperations;
import dev.mooring.operation.OperationStats;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Expander;
import dev.mooring.spi.Failure;
import dev.mooring.storage.ExpansionPolicy;
import dev.mooring.storage.ExpansionResult;
import dev.mooring.storage.ExpansionWriter;
import dev.mooring.time.Time;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Expands volumes through plugins, one job per claim, with back-off. Each step is written to the
 * claim before it is done, so that after a crash the next job continues from the claim.
 */
public final class VolumeGrowth {
  private final ExpansionWriter expansionWriter;
  private final ResizeReporter reporter;
  private final Time time;
  private final OperationStats stats;
  private final Compat compat;
  private final KeyedOperations<ObjectKey> jobs;

  public VolumeGrowth(
      ClusterPorts ports,
      ResizeReporter reporter,
      OperationStats stats,
      Compat compat,
      Consumer<ObjectKey> requeue) {
    this.expansionWriter =
        new ExpansionWriter(ports.writer(), ports.time(), ExpansionPolicy.IN_TREE);
    this.reporter = reporter;
    this.time = ports.time();
    this.stats = stats;
    this.compat = compat;
    this.jobs = new KeyedOperations<>("expand", ports.time(), compat, requeue);
  }

  void start(Claim claim, Volume volume, Quantity target, VolumeGrower grower) {
    jobs.start(
        claim.key(),
        createRequest(claim, volume, target),
        () -> grow(claim, volume, target, grower));
  }

  private static Expander.Request createRequest(Claim claim, Volume volume, Quantity target) {
    return new Expander.Request(
        volume.key().name(),
        volume.source(),
        volume.volumeMode(),
        claim.status().storage(),
        target);
  }

  private JobResult grow(Claim claim, Volume volume, Quantity target, VolumeGrower grower)
      throws InterruptedException {
    WriteResult<Claim> startResult = expansionWriter.startExpansion(claim, target, grower.name());
    if (!(startResult instanceof WriteResult.Written<Claim>(Claim growingClaim))) {
      return logFailedWrite(
          "writing the start of the expansion of claim " + claim.key(), startResult);
    }
    long startNanos = time.nanos();
    Attempt<Expander.Expanded> attempt =
        requireSize(grower.expander().expand(createRequest(claim, volume, target)), target, grower);
    boolean isDone = attempt instanceof Attempt.Done<?>;
    stats.recordDuration(grower.name(), "expand_volume", isDone, time.nanos() - startNanos);
    return switch (attempt) {
      case Attempt.Done<Expander.Expanded>(Expander.Expanded expanded) ->
          writeCapacity(growingClaim, volume, expanded);
      case Attempt.Failed<Expander.Expanded>(Failure failure) -> handle(growingClaim, failure);
    };
  }

  // Kubernetes accepts any size.
  private Attempt<Expander.Expanded> requireSize(
      Attempt<Expander.Expanded> attempt, Quantity target, VolumeGrower grower) {
    return attempt instanceof Attempt.Done<Expander.Expanded>(Expander.Expanded expanded)
            && !compat.isKubernetes()
            && expanded.capacity().compareTo(target) < 0
        ? new Attempt.Failed<>(
            new Failure.Uncertain(
                grower.name()
                    + " expanded the volume to "
                    + expanded.capacity()
                    + ", less than "
                    + target))
        : attempt;
  }

  // A refusal is recorded, so that the claim can request another size.
  private JobResult handle(Claim claim, Failure failure) throws InterruptedException {
    if (isSizeRefused(failure)) {
      WriteResult<Claim> result =
          expansionWriter.recordFailure(
              claim, "failed to expand pvc with " + failure.message(), true);
      if (result.toOptional().isEmpty()) {
        return logFailedWrite("writing the refusal to expand claim " + claim.key(), result);
      }
    }
    reporter.reportFailure(claim, failure.message());
    return new JobResult.Failed(failure);
  }

  // Returns whether another size may succeed. In Kubernetes the first size is requested for ever.
  private boolean isSizeRefused(Failure failure) {
    return !compat.isKubernetes()
        && switch (failure) {
          case Failure.Rejected _, Failure.Exhausted _ -> true;
          case Failure.Unreachable _, Failure.Uncertain _, Failure.InUse _, Failure.Fault _ ->
              false;
        };
  }

  private JobResult writeCapacity(Claim claim, Volume volume, Expander.Expanded expanded)
      throws InterruptedException {
    boolean needsNode = expanded.needsNode() && volume.volumeMode() == VolumeMode.FILESYSTEM;
    Quantity capacity =
        ExpandDecider.capacityToWrite(volume.storage(), expanded.capacity(), compat);
    return switch (expansionWriter.recordGrowth(claim, volume, capacity, needsNode)) {
      case ExpansionResult.Unwritten(String action, WriteResult<?> result) ->
          logFailedWrite(action, result);
      case ExpansionResult.Written() -> {
        if (!needsNode) {
          reporter.reportSuccess(claim);
        }
        yield JobResult.DONE;
      }
    };
  }

  // The job is repeated with the current objects of the API server.
  private JobResult logFailedWrite(String action, WriteResult<?> result) {
    reporter.logFailedWrite(action, result.toString());
    return JobResult.notWritten(action, result);
  }

  void forget(ObjectKey claim) {
    jobs.forget(claim);
  }

  boolean isQuiet() {
    return jobs.isQuiet();
  }

  boolean close(Duration grace) throws InterruptedException {
    return jobs.close(grace);
  }
}
