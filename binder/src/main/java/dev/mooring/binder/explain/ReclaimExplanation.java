package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimDecision;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.decide.VolumeState;
import dev.mooring.binder.state.BinderViews;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class ReclaimExplanation {
  /** Reasons for which a volume becomes Failed. */
  private static final Set<Cause> NEVER =
      Stream.of(Reason.NO_DELETER, Reason.NO_RECYCLER, Reason.POLICY_UNKNOWN)
          .map(BinderCauses::of)
          .collect(Collectors.toUnmodifiableSet());

  private final ClusterView sight;
  private final BinderPolicy policy;
  private final BinderViews views;
  private final RecycleExplanation recycling;

  ReclaimExplanation(ClusterView sight, BinderPolicy policy, BinderViews views) {
    this.sight = sight;
    this.policy = policy;
    this.views = views;
    this.recycling = new RecycleExplanation(views, policy);
  }

  Optional<VolumeExplanation> explainBlocker(Volume volume) {
    if (!volume.meta().isBeingDeleted()) {
      return Optional.empty();
    }
    if (policy.compat().isKubernetes() && VolumeDecider.isAbandoned(volume)) {
      return Optional.of(
          VolumeExplanation.of(
              VolumeState.FINALIZER_STAYS,
              "it has no claim, and "
                  + BinderMarks.IN_TREE_FINALIZER
                  + " is removed only when a claim ends",
              NextStep.person(VolumeState.FINALIZER_STAYS.remedy())));
    }
    return views
        .migrationUpdate(volume)
        .filter(update -> !volume.finalizers().containsAll(update.finalizers()))
        .map(update -> refused());
  }

  private static VolumeExplanation refused() {
    String finalizer = BinderMarks.IN_TREE_FINALIZER;
    return VolumeExplanation.of(
        VolumeState.FINALIZER_REFUSED,
        "it lacks "
            + finalizer
            + ", and the API server accepts no new finalizer on an object that is being deleted",
        new NextStep(
            StepActor.CONTROLLER,
            ExpectedAction.ADD_FINALIZER,
            finalizer,
            "retries to add finalizer " + finalizer + ", which the API server rejects",
            StepTiming.AGAIN));
  }

  VolumeExplanation of(Volume volume, boolean release, Detail detail) throws InterruptedException {
    VolumeExplanation answer = of(volume, detail);
    VolumePhase due =
        NEVER.contains(answer.cause())
            ? VolumePhase.FAILED
            : release ? VolumePhase.RELEASED : volume.phase();
    return answer.next().by() == StepActor.CONTROLLER || due == volume.phase()
        ? answer
        : answer.with(
            VolumeExplanation.controller(
                ExpectedAction.SET_PHASE, due.toString(), "sets its phase to " + due));
  }

  private VolumeExplanation of(Volume volume, Detail detail) throws InterruptedException {
    String gone = "claim " + VolumeExplanation.claimOf(volume) + " is gone";
    return switch (ReclaimDecider.next(volume, false)) {
      case ReclaimDecision.Others() -> byOthers(volume, gone);
      case ReclaimDecision.Retain() ->
          VolumeExplanation.of(
              VolumeState.RETAINED, gone, NextStep.person(VolumeState.RETAINED.remedy()));
      case ReclaimDecision.Recycle() -> recycling.of(volume, gone);
      case ReclaimDecision.UnknownPolicy() -> reason(Reason.POLICY_UNKNOWN, gone);
      case ReclaimDecision.Delete _, ReclaimDecision.Destroyed _ ->
          switch (views.deleter(volume).verdict()) {
            case DeleterVerdict.Others() -> byOthers(volume, gone);
            case DeleterVerdict.NoDeleter(String note) -> reason(Reason.NO_DELETER, note);
            case DeleterVerdict.Plugin(String plugin) -> byPlugin(volume, plugin, gone, detail);
          };
    };
  }

  static VolumeExplanation reason(Reason why, String note) {
    return new VolumeExplanation(BinderCauses.of(why), note, NextStep.person(why.remedy()), false);
  }

  private VolumeExplanation byPlugin(Volume volume, String plugin, String gone, Detail detail)
      throws InterruptedException {
    if (volume.phase() == VolumePhase.FAILED) {
      String why = volume.status().message();
      return explainRetry(Reason.DELETE_FAILED, plugin, gone + (why.isEmpty() ? "" : "; " + why));
    }
    if (volume.meta().isBeingDeleted()
        && !volume.finalizers().contains(BinderMarks.IN_TREE_FINALIZER)) {
      return VolumeExplanation.of(
          VolumeState.DELETED_UNLESS_HELD,
          gone + ", and the object is being deleted",
          deleting(plugin, "delete it, unless it is deleted already", StepTiming.OPEN));
    }
    if (detail == Detail.SUMMARY) {
      return mayDelete(plugin, gone);
    }
    // a delayed deletion has an event although it did not fail
    return switch (PastAttempts.of(sight, volume, Reason.DELETE_WAITS.event())) {
      case PastAttempts.None() ->
          VolumeExplanation.of(
              VolumeState.DELETING, gone, deleting(plugin, "delete it", StepTiming.AT_ONCE));
      case PastAttempts.Unknown() -> mayDelete(plugin, gone + PastAttempts.UNREAD);
      case PastAttempts.Reported(PastEvent last) ->
          last.type() == ClusterEvent.Type.WARNING
              ? reason(Reason.DELETIONS_HELD, gone + "; " + last.note())
              : explainRetry(Reason.DELETE_WAITS, plugin, gone + "; " + last.note());
    };
  }

  private static VolumeExplanation mayDelete(String plugin, String note) {
    return VolumeExplanation.of(
        VolumeState.DELETING, note, deleting(plugin, "delete it, if possible", StepTiming.OPEN));
  }

  private VolumeExplanation explainRetry(Reason why, String plugin, String note) {
    return new VolumeExplanation(
        BinderCauses.of(why),
        note,
        deleting(
            plugin, "try again to delete it" + RetryDelays.afterFailure(policy), StepTiming.AGAIN),
        false);
  }

  private static NextStep deleting(String plugin, String what, StepTiming timing) {
    return new NextStep(
        StepActor.CONTROLLER,
        ExpectedAction.DELETE,
        plugin,
        "has plugin " + plugin + " " + what,
        timing);
  }

  private static VolumeExplanation byOthers(Volume volume, String gone) {
    String provisioner = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    String deleter = provisioner.isEmpty() ? "its driver" : provisioner;
    return VolumeExplanation.of(
        VolumeState.DELETED_BY_OTHERS,
        gone,
        new NextStep(
            StepActor.PROVISIONER,
            ExpectedAction.DELETE,
            provisioner,
            deleter + " deletes it, if it runs"));
  }
}
