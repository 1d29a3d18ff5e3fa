package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.TargetChoice;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.AttachStats.OperationResult;
import dev.mooring.attachdetach.state.AttachRequeue;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.VolumeResolver;
import dev.mooring.operation.JobResult;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import java.util.Optional;

/** Attaches from start to end. Thread-safe; blocks. */
public record AttachJobs(
    StateOfWorld state,
    VolumeResolver resolver,
    AttachBackends backends,
    DanglingSearch danglingSearch,
    ForeignAttachments foreignAttachments,
    PodReporter reporter,
    AttachRequeue queues) {
  // Returns the volume as an attach to the node names it; empty if no pod there uses it.
  Optional<AttachTarget> findTarget(VolumeId id, String node) {
    return TargetChoice.choose(state.desired().uses(id, node), resolver::isCurrent);
  }

  /**
   * Attaches a volume that the actual state already records as possibly attached.
   *
   * @param isNew whether nothing was known of it on that node before; a failure without effect then
   *     clears the record
   */
  public JobResult attach(AttachTarget target, String node, boolean isNew)
      throws InterruptedException {
    VolumeId id = target.id();
    long startNanos = reporter.nanos();
    AttachCallResult<Attached> result = callAttach(target, node);
    OperationResult operationResult = new OperationResult(result.isDone(), target.migrated());
    reporter.countEnd("volume_attach", id, operationResult, startNanos);
    return switch (result) {
      case AttachCallResult.Answered<Attached>(Attempt.Done<Attached>(Attached attached)) -> {
        state.actual().setAttached(id, node, attached.devicePath(), target);
        reporter.reportAttached(target, node);
        queues.requeueBatchedStatus(node);
        yield JobResult.REQUEUE;
      }
      case AttachCallResult.Answered<Attached>(Attempt.Failed<Attached>(Failure failure)) -> {
        if (isNew && hadNoEffect(failure) && !danglingSearch.hasFound(id, node)) {
          state.actual().remove(id, node);
        }
        reporter.reportAttachFailure(target, node, failure.message());
        yield new JobResult.Failed(failure);
      }
      case AttachCallResult.Unanswered<Attached>(String message) -> {
        reporter.reportAttachFailure(target, node, message);
        yield new JobResult.Unanswered(message);
      }
    };
  }

  private AttachCallResult<Attached> callAttach(AttachTarget target, String node)
      throws InterruptedException {
    AttachTarget currentTarget = target.withExclusive(state.isExclusive(target.id()));
    Optional<String> objection = foreignAttachments.findObjection(currentTarget, node);
    if (objection.isEmpty()) {
      objection = danglingSearch.findObjection(currentTarget, node);
    }
    return objection.isPresent()
        ? new AttachCallResult.Answered<>(
            new Attempt.Failed<>(new Failure.Unreachable(objection.get())))
        : backends.attach(target, node);
  }

  private static boolean hadNoEffect(Failure failure) {
    return switch (failure) {
      case Failure.Rejected _, Failure.Exhausted _, Failure.Unreachable _, Failure.InUse _ -> true;
      case Failure.Uncertain _, Failure.Fault _ -> false;
    };
  }
}
