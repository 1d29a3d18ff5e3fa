package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimDecision;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.cluster.ReadResult;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

final class ReclaimExplanation {
  // reasons for which a volume becomes Failed
  private static final Set<Reason> NEVER =
      EnumSet.of(Reason.NO_DELETER, Reason.NO_RECYCLER, Reason.POLICY_UNKNOWN);

  private final ClusterView clusterView;
  private final BinderPolicy policy;
  private final BinderViews views;
  private final RecycleExplanation recycling;

  ReclaimExplanation(ClusterView clusterView, BinderPolicy policy, BinderViews views) {
    this.clusterView = clusterView;
    this.policy = policy;
    this.views = views;
    this.recycling = new RecycleExplanation(views, policy);
  }

  Optional<BinderFinding> explainBlocker(Volume volume) {
    if (!volume.meta().isBeingDeleted()) {
      return Optional.empty();
    }
    if (policy.compat().isKubernetes() && VolumeDecider.isAbandoned(volume)) {
      return Optional.of(
          BinderFinding.forPerson(
              Reason.FINALIZER_STAYS,
              "it has no claim, and "
                  + BinderMarks.IN_TREE_FINALIZER
                  + " is removed only when a claim ends"));
    }
    return views
        .migrationUpdate(volume)
        .filter(update -> !volume.finalizers().containsAll(update.finalizers()))
        .map(update -> refused());
  }

  private static BinderFinding refused() {
    String finalizer = BinderMarks.IN_TREE_FINALIZER;
    return BinderFinding.of(
        Reason.FINALIZER_REFUSED,
        "it lacks "
            + finalizer
            + ", and the API server accepts no new finalizer on an object that is being deleted",
        BinderFinding.controller(
            ExpectedAction.ADD_FINALIZER,
            finalizer,
            "retries to add finalizer " + finalizer + ", which the API server rejects",
            StepTiming.AGAIN));
  }

  BinderFinding of(Volume volume, boolean release, Detail detail) throws InterruptedException {
    BinderFinding answer = of(volume, detail);
    VolumePhase due =
        NEVER.contains(answer.reason())
            ? VolumePhase.FAILED
            : release ? VolumePhase.RELEASED : volume.phase();
    return answer.isForController() || due == volume.phase()
        ? answer
        : answer.with(VolumeFindings.setPhase(due));
  }

  private BinderFinding of(Volume volume, Detail detail) throws InterruptedException {
    String gone = "claim " + VolumeFindings.claimOf(volume) + " is gone";
    return switch (ReclaimDecider.next(volume, false)) {
      case ReclaimDecision.Others() -> byOthers(volume, gone);
      case ReclaimDecision.Retain() -> BinderFinding.forPerson(Reason.RETAINED, gone);
      case ReclaimDecision.Recycle() -> recycling.of(volume, gone);
      case ReclaimDecision.UnknownPolicy() -> BinderFinding.forPerson(Reason.POLICY_UNKNOWN, gone);
      case ReclaimDecision.Delete _, ReclaimDecision.Destroyed _ ->
          switch (views.deleter(volume).verdict()) {
            case DeleterVerdict.Others() -> byOthers(volume, gone);
            case DeleterVerdict.NoDeleter(String note) ->
                BinderFinding.forPerson(Reason.NO_DELETER, note);
            case DeleterVerdict.Plugin(String plugin) -> byPlugin(volume, plugin, gone, detail);
          };
    };
  }

  private BinderFinding byPlugin(Volume volume, String plugin, String gone, Detail detail)
      throws InterruptedException {
    if (volume.phase() == VolumePhase.FAILED) {
      String why = volume.status().message();
      return explainRetry(Reason.DELETE_FAILED, plugin, gone + (why.isEmpty() ? "" : "; " + why));
    }
    if (volume.meta().isBeingDeleted()
        && !volume.finalizers().contains(BinderMarks.IN_TREE_FINALIZER)) {
      return BinderFinding.of(
          Reason.DELETED_UNLESS_HELD,
          gone + ", and the object is being deleted",
          deleting(plugin, "delete it, unless it is deleted already", StepTiming.OPEN));
    }
    if (detail == Detail.SUMMARY) {
      return mayDelete(plugin, gone);
    }
    // a delayed deletion has an event although it did not fail
    return switch (PastAttempts.last(clusterView, volume, Reason.DELETE_WAITS.event())) {
      case ReadResult.Absent<PastEvent> _ ->
          BinderFinding.of(
              Reason.DELETING, gone, deleting(plugin, "delete it", StepTiming.AT_ONCE));
      case ReadResult.Failed<PastEvent> _ -> mayDelete(plugin, gone + PastAttempts.UNREAD);
      case ReadResult.Found<PastEvent>(PastEvent last) ->
          last.type() == ClusterEvent.Type.WARNING
              ? BinderFinding.forPerson(Reason.DELETIONS_HELD, gone + "; " + last.note())
              : explainRetry(Reason.DELETE_WAITS, plugin, gone + "; " + last.note());
    };
  }

  private static BinderFinding mayDelete(String plugin, String note) {
    return BinderFinding.of(
        Reason.DELETING, note, deleting(plugin, "delete it, if possible", StepTiming.OPEN));
  }

  private BinderFinding explainRetry(Reason why, String plugin, String note) {
    return BinderFinding.of(
        why,
        note,
        deleting(
            plugin, "try again to delete it" + RetryDelays.afterFailure(policy), StepTiming.AGAIN));
  }

  private static NextStep deleting(String plugin, String what, StepTiming timing) {
    return BinderFinding.controller(
        ExpectedAction.DELETE, plugin, "has plugin " + plugin + " " + what, timing);
  }

  private static BinderFinding byOthers(Volume volume, String gone) {
    String provisioner = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    String deleter = provisioner.isEmpty() ? "its driver" : provisioner;
    return BinderFinding.of(
        Reason.DELETED_BY_OTHERS,
        gone,
        new NextStep(
            StepActor.PROVISIONER,
            ExpectedAction.DELETE,
            provisioner,
            deleter + " deletes it, if it runs"));
  }
}
