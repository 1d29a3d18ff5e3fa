package dev.mooring.attachdetach.execute;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.AttachTarget;
import dev.mooring.attachdetach.decide.AttachView;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.attachdetach.decide.VolumeId;
import dev.mooring.attachdetach.decide.VolumeNode;
import dev.mooring.attachdetach.state.StateOfWorld;
import dev.mooring.cluster.DecisionLog;
import dev.mooring.operation.JobResult;
import java.util.List;
import java.util.Optional;

/** Runs the steps of a decision. Thread-safe. */
public record StepRunner(
    StateOfWorld state,
    AttachDetachOperations operations,
    AttachJobs attachJobs,
    DetachJobs detachJobs,
    DeadNodeTracker deadNodes) {
  public static boolean isSuspect(AttachStep step) {
    return step instanceof AttachStep.Hold(VolumeHolder holder)
        && switch (holder.reason()) {
          case IN_USE, IN_USE_UNTRACED, UNMANAGED, NODE_ABSENT -> false;
          case WANTED,
              WANTED_NOT_READY,
              UNCERTAIN,
              ATTACHING,
              DETACHING,
              IN_USE_NOT_READY,
              IN_USE_GONE ->
              true;
        };
  }

  public void run(AttachView view, AttachStep step, boolean isAwaited, boolean isInvestigating) {
    VolumeId volume = view.id();
    switch (DecisionLog.recordDecision(step)) {
      case AttachStep.Keep(String node) -> state.actual().setNeeded(volume, node);
      case AttachStep.Busy _, AttachStep.LeaveToKubelet _ -> {}
      case AttachStep.Blocked(String _, List<VolumeHolder> holders) ->
          holders.forEach(holder -> operations.prioritizeDetach(volume, holder.node()));
      case AttachStep.Attach(String node) -> {
        Optional<AttachTarget> target = attachJobs.findTarget(volume, node);
        if (target.isEmpty() || state.isExclusive(volume) != view.exclusive()) {
          attachJobs.queues().requeueVolume(new VolumeNode(volume, node)); // the decision is stale
        } else {
          attach(volume, node, target.get());
        }
      }
      case AttachStep.Detach(String node, AttachStep.Grounds grounds) -> {
        recordUnneeded(volume, node);
        operations.detach(
            volume, node, isAwaited, permit -> detachJobs.detach(volume, node, grounds, permit));
      }
      case AttachStep.Hold(VolumeHolder holder) -> {
        recordUnneeded(volume, holder.node());
        if (isInvestigating && isSuspect(step)) {
          investigate(new VolumeNode(volume, holder.node()));
        }
      }
    }
  }

  private void recordUnneeded(VolumeId volume, String node) {
    state.actual().setUnneeded(volume, node, operations.nanos());
  }

  // Records the volume as possibly attached before the operation starts. Its pod may end, and
  // another node have its turn, before the operation's thread runs.
  private void attach(VolumeId volume, String node, AttachTarget target) {
    boolean isNew = state.actual().startAttach(target, node);
    boolean isStarted =
        operations.attach(volume, node, target, () -> attachJobs.attach(target, node, isNew));
    if (isNew && !isStarted) {
      state.actual().remove(volume, node);
    }
  }

  private void investigate(VolumeNode volumeNode) {
    state.suspects().add(volumeNode);
    operations.startCheck(
        "node " + volumeNode.node() + " for " + volumeNode.volume(),
        () -> {
          if (deadNodes.investigate(volumeNode)) {
            attachJobs.queues().requeueVolume(volumeNode);
          }
          return JobResult.DONE;
        });
  }
}
