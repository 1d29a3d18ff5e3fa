package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.DetachCheck;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.PendingDetach;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.execute.AttachStats.OperationResult;
import dev.mooring.attachdetach.state.ActualStateOfWorld.NodeEntry;
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
    NodeStatusWriter statuses,
    NodeChecks nodes,
    PodReporter reporter) {
  /**
   * Detaches a volume.
   *
   * @param permit permit for requests to the API server; returned before the wait for a driver
   * @return done also if the detach is no longer due
   */
  public JobResult detach(VolumeId id, String node, Grounds grounds, DetachLimiter.Permit permit)
      throws InterruptedException {
    Optional<String> objection = backends.objection(id);
    if (objection.isPresent()) {
      reporter.reportDetachFailure(id, node, objection.get());
      return JobResult.unreachable(objection.get());
    }
    Held before = state.actual().held(id, node);
    boolean listed = isListed(id, node, before);
    return switch (prepare(id, node, grounds, before)) {
      case DetachVerdict.Needed() -> {
        relist(id, node, listed);
        yield JobResult.NOTED;
      }
      case DetachVerdict.Detach(String _) ->
          grounds == Grounds.UNTRACED && id.csi().isPresent()
              ? clearRecord(id, node)
              : detachNow(id, node, permit);
      case DetachVerdict.Stay(String why) -> {
        relist(id, node, listed);
        reporter.reportStay(id, node, why);
        yield new JobResult.Failed(new Failure.InUse(why));
      }
      case DetachVerdict.StillListed _ ->
          retrySoon(id, node, listed, permit, "the status of node " + node + " still lists it");
      case DetachVerdict.Unknown(String why) -> retrySoon(id, node, listed, permit, why);
    };
  }

  // retries soon after a failed question or write: the server may be back
  private JobResult retrySoon(
      VolumeId id, String node, boolean listed, DetachLimiter.Permit permit, String why) {
    relist(id, node, listed);
    reporter.reportDetachFailure(id, node, why);
    permit.retrySoon();
    return new JobResult.Unanswered(why);
  }

  // Runs all steps before the detach. If an exception ends them, the list is restored.
  private DetachVerdict prepare(VolumeId id, String node, Grounds grounds, Held before)
      throws InterruptedException {
    boolean listed = isListed(id, node, before);
    boolean isComplete = false;
    try {
      DetachVerdict result = unlist(id, node, grounds);
      DetachVerdict settled =
          DetachCheck.unlessListed(result, grounds, state.actual().isNeverListed(id, node));
      DetachVerdict verdict =
          DetachCheck.unlessWanted(settled, before, state.desired().wants(id, node));
      if (verdict instanceof DetachVerdict.Detach(String evidence)) {
        announce(id, node, grounds, evidence);
      }
      isComplete = true;
      return verdict;
    } finally {
      if (!isComplete) {
        relist(id, node, listed);
      }
    }
  }

  private boolean isListed(VolumeId id, String node, Held before) {
    NodeEntry entry = state.actual().entry(id, node);
    return before == Held.YES || (entry != null && entry.reported());
  }

  // removes the volume from the node's status, and decides whether it may be detached
  private DetachVerdict unlist(VolumeId id, String node, Grounds grounds)
      throws InterruptedException {
    state.actual().setListed(id, node, false);
    PendingDetach detachment =
        new PendingDetach(
            id,
            node,
            grounds,
            state.actual().lastUsers(id, node),
            state.actual().usedByEarlierNode(id, node));
    // the answer to the write contains the node after it, which saves a read
    DetachVerdict verdict = judge(detachment, statuses.flushInvalidating(node));
    return verdict instanceof DetachVerdict.StillListed(Node now)
        ? judge(detachment, statuses.flush(now))
        : verdict;
  }

  private DetachVerdict judge(PendingDetach detachment, FlushResult flushed)
      throws InterruptedException {
    return switch (flushed) {
      case FlushResult.Failed(String problem) -> DetachCheck.notUnlisted(problem);
      case FlushResult.Done(var now) -> nodes.mayDetach(detachment, now);
    };
  }

  // Lists a volume again that stays. The node may have it mounted, which must survive a restart.
  private void relist(VolumeId id, String node, boolean listed) {
    if (listed) {
      state.actual().setListed(id, node, true);
      statuses.writeSoon(node);
    }
  }

  private void announce(VolumeId id, String node, Grounds grounds, String evidence)
      throws InterruptedException {
    if (grounds.isForce()) {
      reporter.reportForcedDetach(id, node, grounds, evidence);
      nodes.record(id, node, grounds, evidence);
    }
  }

  // clears the record; there is no VolumeAttachment to delete
  private JobResult clearRecord(VolumeId id, String node) {
    state.actual().remove(id, node);
    reporter.reportDetached(id, node);
    return JobResult.NOTED;
  }

  private JobResult detachNow(VolumeId id, String node, DetachLimiter.Permit permit)
      throws InterruptedException {
    long start = reporter.nanos();
    state.actual().setUncertain(id, node, null);
    AttachCallResult<Detached> result = backends.detach(id, node, permit::end);
    AttachTarget target = state.actual().target(id, node);
    boolean migrated = target != null && target.migrated();
    OperationResult outcome = new OperationResult(result.isDone(), migrated);
    reporter.countEnd("volume_detach", id, outcome, start);
    return switch (result) {
      case AttachCallResult.Answered<Detached>(Attempt.Done<Detached> _) -> {
        state.actual().remove(id, node);
        reporter.reportDetached(id, node);
        yield JobResult.NOTED;
      }
      case AttachCallResult.Answered<Detached>(Attempt.Failed<Detached>(Failure why)) -> {
        reporter.reportDetachFailure(id, node, why.message());
        yield new JobResult.Failed(why);
      }
      case AttachCallResult.Unanswered<Detached>(String why) -> {
        reporter.reportDetachFailure(id, node, why);
        yield new JobResult.Unanswered(why);
      }
    };
  }
}
