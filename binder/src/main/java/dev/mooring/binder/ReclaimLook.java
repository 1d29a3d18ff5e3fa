package dev.mooring.binder;

import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.MigrationUpdate;
import dev.mooring.binder.decide.Policy;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimDecision;
import dev.mooring.binder.decide.VolumeDecider;
import dev.mooring.binder.decide.VolumeStanding;
import dev.mooring.binder.execute.Deleters;
import dev.mooring.binder.observe.BinderViews;
import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.EventReader.PastEvent;
import dev.mooring.explain.Action;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Explainer.Detail;
import dev.mooring.explain.Next;
import dev.mooring.explain.Sight;
import dev.mooring.explain.Timing;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Explains volumes whose claim is gone or that are being deleted. */
final class ReclaimLook {
  /** Reasons for which a volume becomes Failed. */
  private static final Set<Cause> NEVER =
      Stream.of(Reason.NO_DELETER, Reason.NO_RECYCLER, Reason.POLICY_UNKNOWN)
          .map(BinderCauses::of)
          .collect(Collectors.toUnmodifiableSet());

  private final Sight sight;
  private final Policy policy;
  private final Deleters deleters;
  private final RecycleLook recycling;

  ReclaimLook(Sight sight, Policy policy, BinderViews views) {
    this.sight = sight;
    this.policy = policy;
    this.deleters = new Deleters(sight.plugins(), policy);
    this.recycling = new RecycleLook(views, policy);
  }

  /**
   * Explains what prevents the controller from any other work on the volume; empty if nothing does.
   */
  Optional<VolumeAnswer> jam(Volume volume) {
    if (!volume.meta().isBeingDeleted()) {
      return Optional.empty();
    }
    if (policy.compat().isKubernetes() && VolumeDecider.isAbandoned(volume)) {
      return Optional.of(
          VolumeAnswer.of(
              VolumeStanding.FINALIZER_STAYS,
              "it has no claim, and "
                  + Marks.IN_TREE_FINALIZER
                  + " is removed only when a claim ends",
              Next.person(VolumeStanding.FINALIZER_STAYS.remedy())));
    }
    return MigrationUpdate.of(volume, policy, name -> sight.plugins().named(name).isPresent())
        .filter(update -> !volume.finalizers().containsAll(update.finalizers()))
        .map(update -> refused());
  }

  private static VolumeAnswer refused() {
    String finalizer = Marks.IN_TREE_FINALIZER;
    return VolumeAnswer.of(
        VolumeStanding.FINALIZER_REFUSED,
        "it lacks "
            + finalizer
            + ", and the API server accepts no new finalizer on an object that is being deleted",
        new Next(
            Actor.CONTROLLER,
            Action.ADD_FINALIZER,
            finalizer,
            "retries to add finalizer " + finalizer + ", which the API server rejects",
            Timing.AGAIN));
  }

  /**
   * Explains a volume whose claim is gone.
   *
   * @param release whether its phase is not Released yet
   */
  VolumeAnswer of(Volume volume, boolean release, Detail detail) throws InterruptedException {
    VolumeAnswer answer = of(volume, detail);
    VolumePhase due =
        NEVER.contains(answer.cause())
            ? VolumePhase.FAILED
            : release ? VolumePhase.RELEASED : volume.phase();
    return answer.next().by() == Actor.CONTROLLER || due == volume.phase()
        ? answer
        : answer.with(
            VolumeAnswer.controller(Action.SET_PHASE, due.toString(), "sets its phase to " + due));
  }

  private VolumeAnswer of(Volume volume, Detail detail) throws InterruptedException {
    String gone = "claim " + VolumeAnswer.claimOf(volume) + " is gone";
    return switch (ReclaimDecider.next(volume, false)) {
      case ReclaimDecision.Others() -> byOthers(volume, gone);
      case ReclaimDecision.Retain() ->
          VolumeAnswer.of(
              VolumeStanding.RETAINED, gone, Next.person(VolumeStanding.RETAINED.remedy()));
      case ReclaimDecision.Recycle() -> recycling.of(volume, gone);
      case ReclaimDecision.UnknownPolicy() -> reason(Reason.POLICY_UNKNOWN, gone);
      case ReclaimDecision.Delete _, ReclaimDecision.Destroyed _ ->
          switch (deleters.of(volume).verdict()) {
            case DeleterVerdict.Others() -> byOthers(volume, gone);
            case DeleterVerdict.Nobody(String note) -> reason(Reason.NO_DELETER, note);
            case DeleterVerdict.Plugin(String plugin) -> byPlugin(volume, plugin, gone, detail);
          };
    };
  }

  static VolumeAnswer reason(Reason why, String note) {
    return new VolumeAnswer(BinderCauses.of(why), note, Next.person(why.remedy()), false);
  }

  private VolumeAnswer byPlugin(Volume volume, String plugin, String gone, Detail detail)
      throws InterruptedException {
    if (volume.phase() == VolumePhase.FAILED) {
      String why = volume.status().message();
      return again(Reason.DELETE_FAILED, plugin, gone + (why.isEmpty() ? "" : "; " + why));
    }
    if (volume.meta().isBeingDeleted() && !volume.finalizers().contains(Marks.IN_TREE_FINALIZER)) {
      return VolumeAnswer.of(
          VolumeStanding.DELETED_UNLESS_HELD,
          gone + ", and the object is being deleted",
          deleting(plugin, "delete it, unless it is deleted already", Timing.OPEN));
    }
    if (detail == Detail.SUMMARY) {
      return mayDelete(plugin, gone);
    }
    // a delayed deletion has an event although it did not fail
    return switch (EarlierTries.of(sight, volume, Reason.DELETE_WAITS.event())) {
      case EarlierTries.None() ->
          VolumeAnswer.of(
              VolumeStanding.DELETING, gone, deleting(plugin, "delete it", Timing.AT_ONCE));
      case EarlierTries.Unknown() -> mayDelete(plugin, gone + EarlierTries.UNREAD);
      case EarlierTries.Reported(PastEvent last) ->
          last.type() == ClusterEvent.Type.WARNING
              ? reason(Reason.DELETIONS_HELD, gone + "; " + last.note())
              : again(Reason.DELETE_WAITS, plugin, gone + "; " + last.note());
    };
  }

  private static VolumeAnswer mayDelete(String plugin, String note) {
    return VolumeAnswer.of(
        VolumeStanding.DELETING, note, deleting(plugin, "delete it, if possible", Timing.OPEN));
  }

  private VolumeAnswer again(Reason why, String plugin, String note) {
    return new VolumeAnswer(
        BinderCauses.of(why),
        note,
        deleting(plugin, "try again to delete it" + Pauses.afterFailure(policy), Timing.AGAIN),
        false);
  }

  private static Next deleting(String plugin, String what, Timing timing) {
    return new Next(
        Actor.CONTROLLER, Action.DELETE, plugin, "has plugin " + plugin + " " + what, timing);
  }

  private static VolumeAnswer byOthers(Volume volume, String gone) {
    String provisioner = volume.meta().annotation(Marks.PROVISIONED_BY);
    String who = provisioner.isEmpty() ? "its driver" : provisioner;
    return VolumeAnswer.of(
        VolumeStanding.DELETED_BY_OTHERS,
        gone,
        new Next(Actor.PROVISIONER, Action.DELETE, provisioner, who + " deletes it, if it runs"));
  }
}
