package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.DetachCheck;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.PendingDetach;
import dev.mooring.attachdetach.decide.NodeView.AttachState;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.AttachStats.OperationResult;
import dev.mooring.attachdetach.state.NodeEntry;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.StatusWrites.FlushResult;
import dev.mooring.model.Node;
import dev.mooring.operation.JobResult;
import dev.mooring.spi.Attacher.Detached;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import java.util.Optional;

/**
 * Detaches from start to end. The order protects data. First the node's status stops listing the
 * volume, so that its kubelet does not mount it again. Then a live read checks that the node does
 * not use it. Then it is detached. Thread-safe; blocks.
 */
public record DetachJobs(
    StateOfWorld state,
    AttachBackends backends,
    NodeStatusWriter statusWriter,
    NodeChecks nodeChecks,
    PodReporter reporter) {
  /**
   * Detaches a volume.
   *
   * @param permit permit for requests to the API server; returned before the wait for a driver
   * @return done also if the detach is no longer due
   */
  public JobResult detach(VolumeId id, String node, Grounds grounds, DetachLimiter.Permit permit)
      throws InterruptedException {
    Optional<String> objection = backends.findObjection(id);
    if (objection.isPresent()) {
      reporter.reportDetachFailure(id, node, objection.get());
      return JobResult.unreachable(objection.get());
    }
    AttachState stateBefore = state.actual().attachState(id, node);
    boolean wasListed = isListed(id, node, stateBefore);
    return switch (prepare(id, node, grounds, stateBefore)) {
      case DetachVerdict.Needed() -> {
        relist(id, node, wasListed);
        yield JobResult.REQUEUE;
      }
      case DetachVerdict.Detach(String _) ->
          grounds == Grounds.UNTRACED && id.csi().isPresent()
              ? clearRecord(id, node)
              : detachNow(id, node, permit);
      case DetachVerdict.Keep(String reason) -> {
        relist(id, node, wasListed);
        reporter.reportKept(id, node, reason);
        yield new JobResult.Failed(new Failure.InUse(reason));
      }
      case DetachVerdict.StillListed _ ->
          retrySoon(id, node, wasListed, permit, "the status of node " + node + " still lists it");
      case DetachVerdict.Unknown(String message) -> retrySoon(id, node, wasListed, permit, message);
    };
  }

  // retries soon after a failed question or write: the server may be back
  private JobResult retrySoon(
      VolumeId id, String node, boolean wasListed, DetachLimiter.Permit permit, String message) {
    relist(id, node, wasListed);
    reporter.reportDetachFailure(id, node, message);
    permit.retrySoon();
    return new JobResult.Unanswered(message);
  }

  // Runs all steps before the detach. If an exception ends them, the list is restored.
  private DetachVerdict prepare(VolumeId id, String node, Grounds grounds, AttachState stateBefore)
      throws InterruptedException {
    boolean wasListed = isListed(id, node, stateBefore);
    boolean isComplete = false;
    try {
      DetachVerdict unlistVerdict = unlist(id, node, grounds);
      DetachVerdict listVerdict =
          DetachCheck.keepIfListed(unlistVerdict, grounds, !state.actual().isNeverListed(id, node));
      DetachVerdict verdict =
          DetachCheck.keepIfNeeded(listVerdict, stateBefore, state.desired().isNeeded(id, node));
      if (verdict instanceof DetachVerdict.Detach(String evidence)) {
        reportForcedDetach(id, node, grounds, evidence);
      }
      isComplete = true;
      return verdict;
    } finally {
      if (!isComplete) {
        relist(id, node, wasListed);
      }
    }
  }

  private boolean isListed(VolumeId id, String node, AttachState stateBefore) {
    NodeEntry entry = state.actual().entry(id, node);
    return stateBefore == AttachState.ATTACHED || (entry != null && entry.mustBeListed());
  }

  // removes the volume from the node's status, and decides whether it
  // may be detached
  private DetachVerdict unlist(VolumeId id, String node, Grounds grounds)
      throws InterruptedException {
    state.actual().setListed(id, node, false);
    PendingDetach detachment =
        new PendingDetach(
            id,
            node,
            grounds,
            state.actual().lastUsers(id, node),
            state.actual().wasUsedByEarlierNode(id, node));
    // the answer to the write contains the node after it, which saves a read
    DetachVerdict verdict = judge(detachment, statusWriter.flushInvalidating(node));
    return verdict instanceof DetachVerdict.StillListed(Node liveNode)
        ? judge(detachment, statusWriter.flush(liveNode))
        : verdict;
  }

  private DetachVerdict judge(PendingDetach detachment, FlushResult flushResult)
      throws InterruptedException {
    return switch (flushResult) {
      case FlushResult.Failed(String message) -> DetachCheck.decideUnwritten(message);
      case FlushResult.Done(var liveNode) -> nodeChecks.decideDetach(detachment, liveNode);
    };
  }

  // Lists a volume again that stays. The node may have it mounted, which must survive a restart.
  private void relist(VolumeId id, String node, boolean wasListed) {
    if (wasListed) {
      state.actual().setListed(id, node, true);
      statusWriter.writeSoon(node);
    }
  }

  private void reportForcedDetach(VolumeId id, String node, Grounds grounds, String evidence)
      throws InterruptedException {
    if (grounds.isForced()) {
      reporter.reportForcedDetach(id, node, grounds, evidence);
      nodeChecks.emitForcedDetach(id, node, grounds, evidence);
    }
  }

  // clears the record; there is no VolumeAttachment to delete
  private JobResult clearRecord(VolumeId id, String node) {
    state.actual().remove(id, node);
    reporter.reportDetached(id, node);
    return JobResult.REQUEUE;
  }

  private JobResult detachNow(VolumeId id, String node, DetachLimiter.Permit permit)
      throws InterruptedException {
    long startNanos = reporter.nanos();
    state.actual().setUncertain(id, node, null);
    AttachCallResult<Detached> result = backends.detach(id, node, permit::release);
    AttachTarget target = state.actual().target(id, node);
    boolean isMigrated = target != null && target.migrated();
    OperationResult operationResult = new OperationResult(result.isDone(), isMigrated);
    reporter.countEnd("volume_detach", id, operationResult, startNanos);
    return switch (result) {
      case AttachCallResult.Answered<Detached>(Attempt.Done<Detached> _) -> {
        state.actual().remove(id, node);
        reporter.reportDetached(id, node);
        yield JobResult.REQUEUE;
      }
      case AttachCallResult.Answered<Detached>(Attempt.Failed<Detached>(Failure failure)) -> {
        reporter.reportDetachFailure(id, node, failure.message());
        yield new JobResult.Failed(failure);
      }
      case AttachCallResult.Unanswered<Detached>(String message) -> {
        reporter.reportDetachFailure(id, node, message);
        yield new JobResult.Unanswered(message);
      }
    };
  }
}
