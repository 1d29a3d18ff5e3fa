package dev.mooring.binder.explain;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.MatchReport;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.SilentReason;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.decide.VolumeState;
import dev.mooring.explain.Cause;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.stream.Collectors;

record VolumeExplanation(Cause cause, String note, NextStep next, boolean isFree) {
  static VolumeExplanation of(VolumeState why, String note, NextStep next) {
    return new VolumeExplanation(
        BinderCauses.of(why),
        note,
        next,
        switch (why) {
          case AVAILABLE, RESERVED, RESERVED_UNFIT -> true;
          case VOLUME_BOUND,
              PHASE_DUE,
              VOLUME_BINDING,
              UNBINDING,
              RETAINED,
              DELETED_BY_OTHERS,
              DELETING,
              DELETED_UNLESS_HELD,
              FINALIZER_REFUSED,
              FINALIZER_STAYS,
              RECYCLING ->
              false;
        });
  }

  boolean isOfPhase() {
    return next.by() == StepActor.CONTROLLER && next.action() == ExpectedAction.SET_PHASE;
  }

  VolumeExplanation with(NextStep other) {
    return new VolumeExplanation(cause, note, other, isFree);
  }

  static NextStep controller(ExpectedAction action, String target, String text) {
    return new NextStep(StepActor.CONTROLLER, action, target, text);
  }

  static VolumeExplanation of(Volume volume, VolumeDecision decision) {
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) when phase != volume.phase() ->
          of(
              VolumeState.PHASE_DUE,
              "it is " + volume.phase() + " and must become " + phase,
              controller(ExpectedAction.SET_PHASE, phase.toString(), "sets its phase to " + phase));
      case VolumeDecision.SetPhase(VolumePhase phase) ->
          phase == VolumePhase.BOUND ? bound(volume) : settled(volume);
      case VolumeDecision.Reclaim _ ->
          throw new IllegalStateException("the reclaim explanation covers this");
      case VolumeDecision.Unbind() ->
          of(
              VolumeState.UNBINDING,
              "claim " + claimOf(volume) + " has another volume",
              controller(ExpectedAction.UNBIND, claimOf(volume), "removes its claimRef"));
      case VolumeDecision.WakeClaim(ObjectKey claim) -> binding(claim);
      case VolumeDecision.ModeMismatch(Claim claim, boolean unbind) ->
          new VolumeExplanation(
              BinderCauses.of(Reason.VOLUME_MODE_DIFFERS),
              "it is " + volume.volumeMode() + ", and claim " + claim.key() + " is not",
              unbind
                  ? controller(
                      ExpectedAction.UNBIND, claim.key().toString(), "removes its claimRef")
                  : NextStep.person(Reason.VOLUME_MODE_DIFFERS.remedy()),
              false);
      case VolumeDecision.Keep(Reason why, String note) -> ReclaimExplanation.reason(why, note);
      case VolumeDecision.CannotTell(String why) -> cannotTell(why);
    };
  }

  static VolumeExplanation binding(ObjectKey claim) {
    return of(
        VolumeState.VOLUME_BINDING,
        "claim " + claim + " is being bound to it",
        controller(ExpectedAction.BIND, claim.toString(), "binds claim " + claim + " to it"));
  }

  static VolumeExplanation reserved(
      Volume volume, ObjectKey claim, ClaimDecision ofClaim, List<MatchReport.TestResult> failed) {
    if (ofClaim instanceof ClaimDecision.Bind(Volume given)) {
      return given.key().equals(volume.key())
          ? binding(claim)
          : of(
              VolumeState.RESERVED,
              "claim " + claim + " gets volume " + given.key(),
              new NextStep(
                  StepActor.CONTROLLER,
                  ExpectedAction.SET_FREE,
                  claim.toString(),
                  "removes its claimRef when the claim is bound to that",
                  StepTiming.LATER));
    }
    if (failed.isEmpty()) {
      return of(
          VolumeState.RESERVED,
          "it is reserved for claim " + claim,
          NextStep.person("see why claim " + claim + " is not bound to it"));
    }
    return of(
        VolumeState.RESERVED_UNFIT,
        "it is reserved for claim "
            + claim
            + ", and "
            + failed.stream().map(MatchReport.TestResult::note).collect(Collectors.joining(", ")),
        NextStep.person(VolumeState.RESERVED_UNFIT.remedy()));
  }

  private static VolumeExplanation cannotTell(String why) {
    return new VolumeExplanation(
        BinderCauses.of(SilentReason.CANNOT_TELL),
        "claim could not be looked up: " + why,
        NextStep.person("repeat the command with the rights for it"),
        false);
  }

  static String claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? "" : ref.claim().toString();
  }

  private static VolumeExplanation bound(Volume volume) {
    return of(
        VolumeState.VOLUME_BOUND, "it is bound to claim " + claimOf(volume), NextStep.NOTHING);
  }

  private static VolumeExplanation settled(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.isEmpty()
        ? of(VolumeState.AVAILABLE, "it has no claim", NextStep.NOTHING)
        : of(
            VolumeState.RESERVED,
            "it is reserved for claim " + ref.claim(),
            NextStep.person("create claim " + ref.claim() + " so that the volume suits it"));
  }
}
