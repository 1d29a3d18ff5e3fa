package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep.Grounds;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.DetachCheck;
import dev.mooring.attachdetach.decide.DetachCheck.DetachVerdict;
import dev.mooring.attachdetach.decide.DetachCheck.PendingDetach;
import dev.mooring.attachdetach.decide.NodeView.Held;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.state.ActualStateOfWorld.NodeEntry;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.attachdetach.state.StatusWrites.FlushResult;
import dev.mooring.model.Node;
import dev.mooring.operation.JobResult;
import dev.mooring.spi.Attacher.Attached;
import dev.mooring.spi.Attacher.Detached;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Failure;
import dev.mooring.time.Time;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Attach or detach from start to end. The order within a detach protects data. First the node's
 * status stops listing the volume, so that its kubelet does not mount it again. Then a live read
 * checks that the node does not use it. Then it is detached. Thread-safe; blocks.
 */
public record AttachDetachJobs(StateOfWorld state, JobTools tools) {
  public record JobTools(
      AttachBackends backends,
      DanglingSearch dangling,
      NodeStatusWriter statuses,
      NodeChecks nodes,
      PodReporter reporter,
      AttachStats stats,
      Consumer<String> listed,
      BiConsumer<VolumeId, String> unanswered,
      Time time) {}

  /**
   * Attaches a volume that the actual state already records as possibly attached.
   *
   * @param isNew whether nothing was known of it on that node before; a failure without effect then
   *     clears the record
   */
  public JobResult attach(AttachTarget target, String node, boolean isNew)
      throws InterruptedException {
    VolumeId id = target.id();
    long start = tools.time().nanos();
    AttachCallResult<Attached> result = callAttach(target, node);
    AttachStats.OperationResult outcome =
        new AttachStats.OperationResult(isDone(result), target.migrated());
    tools.stats().took(id, "volume_attach", outcome, tools.time().nanos() - start);
    return switch (result) {
      case AttachCallResult.Answered<Attached>(Attempt.Done<Attached>(Attached where)) -> {
        state.actual().setAttached(id, node, where.devicePath(), target);
        tools.reporter().reportAttached(target, node);
        tools.listed().accept(node);
        yield JobResult.NOTED;
      }
      case AttachCallResult.Answered<Attached>(Attempt.Failed<Attached>(Failure why)) -> {
        if (isNew && hadNoEffect(why) && !tools.dangling().hasFound(id, node)) {
          state.actual().remove(id, node);
        }
        tools.reporter().reportAttachFailure(target, node, why.message());
        yield new JobResult.Failed(why);
      }
      case AttachCallResult.Unanswered<Attached>(String why) -> {
        tools.reporter().reportAttachFailure(target, node, why);
        yield new JobResult.Unanswered(why);
      }
    };
  }

  private AttachCallResult<Attached> callAttach(AttachTarget target, String node)
      throws InterruptedException {
    AttachTarget result = target.withExclusive(state.isExclusive(target.id()));
    Optional<String> objection = tools.dangling().objection(result, node);
    return objection.isPresent()
        ? new AttachCallResult.Answered<>(
            new Attempt.Failed<>(new Failure.Unreachable(objection.get())))
        : tools.backends().attach(target, node);
  }

  private static boolean isDone(AttachCallResult<?> result) {
    return result instanceof AttachCallResult.Answered<?>(Attempt.Done<?> _);
  }

  private static boolean hadNoEffect(Failure why) {
    return switch (why) {
      case Failure.Rejected _, Failure.Exhausted _, Failure.Unreachable _, Failure.InUse _ -> true;
      case Failure.Uncertain _, Failure.Fault _ -> false;
    };
  }

  /**
   * Detaches a volume.
   *
   * @param permit permit for requests to the API server; returned before the wait for a driver
   * @return done also if the detach is no longer due
   */
  public JobResult detach(VolumeId id, String node, Grounds grounds, DetachLimiter.Permit permit)
      throws InterruptedException {
    Optional<String> objection = tools.backends().objection(id);
    if (objection.isPresent()) {
      tools.reporter().reportDetachFailure(id, node, objection.get());
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
        tools.reporter().reportStay(id, node, why);
        yield new JobResult.Failed(new Failure.InUse(why));
      }
      case DetachVerdict.StillListed _ ->
          retrySoon(id, node, listed, "the status of node " + node + " still lists it");
      case DetachVerdict.Unknown(String why) -> retrySoon(id, node, listed, why);
    };
  }

  // retries soon after a failed question or write: the server may be back
  private JobResult retrySoon(VolumeId id, String node, boolean listed, String why) {
    relist(id, node, listed);
    tools.reporter().reportDetachFailure(id, node, why);
    tools.unanswered().accept(id, node);
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
    DetachVerdict verdict = judge(detachment, tools.statuses().flushInvalidating(node));
    return verdict instanceof DetachVerdict.StillListed(Node now)
        ? judge(detachment, tools.statuses().flush(now))
        : verdict;
  }

  private DetachVerdict judge(PendingDetach detachment, FlushResult flushed)
      throws InterruptedException {
    return switch (flushed) {
      case FlushResult.Failed(String problem) -> DetachCheck.notUnlisted(problem);
      case FlushResult.Done(var now) -> tools.nodes().mayDetach(detachment, now);
    };
  }

  // Lists a volume again that stays. The node may have it mounted, which must survive a restart.
  private void relist(VolumeId id, String node, boolean listed) {
    if (listed) {
      state.actual().setListed(id, node, true);
      tools.listed().accept(node);
    }
  }

  private void announce(VolumeId id, String node, Grounds grounds, String evidence)
      throws InterruptedException {
    if (grounds.isForce()) {
      tools.stats().forced(grounds);
      tools.reporter().reportForcedDetach(id, node, evidence);
      tools.nodes().record(id, node, grounds, evidence);
    }
  }

  // clears the record; there is no VolumeAttachment to delete
  private JobResult clearRecord(VolumeId id, String node) {
    state.actual().remove(id, node);
    tools.reporter().reportDetached(id, node);
    return JobResult.NOTED;
  }

  private JobResult detachNow(VolumeId id, String node, DetachLimiter.Permit permit)
      throws InterruptedException {
    long start = tools.time().nanos();
    state.actual().setUncertain(id, node, null);
    AttachCallResult<Detached> result = tools.backends().detach(id, node, permit::end);
    AttachTarget target = state.actual().target(id, node);
    boolean migrated = target != null && target.migrated();
    AttachStats.OperationResult outcome = new AttachStats.OperationResult(isDone(result), migrated);
    tools.stats().took(id, "volume_detach", outcome, tools.time().nanos() - start);
    return switch (result) {
      case AttachCallResult.Answered<Detached>(Attempt.Done<Detached> _) -> {
        state.actual().remove(id, node);
        tools.reporter().reportDetached(id, node);
        yield JobResult.NOTED;
      }
      case AttachCallResult.Answered<Detached>(Attempt.Failed<Detached>(Failure why)) -> {
        tools.reporter().reportDetachFailure(id, node, why.message());
        yield new JobResult.Failed(why);
      }
      case AttachCallResult.Unanswered<Detached>(String why) -> {
        tools.reporter().reportDetachFailure(id, node, why);
        yield new JobResult.Unanswered(why);
      }
    };
  }
}
