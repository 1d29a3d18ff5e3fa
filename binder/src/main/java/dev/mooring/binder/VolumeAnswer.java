package dev.mooring.binder;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.Trial;
import dev.mooring.binder.decide.Unspoken;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.decide.VolumeStanding;
import dev.mooring.explain.Action;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Next;
import dev.mooring.explain.Timing;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Explanation of a decision about a volume.
 *
 * @param note the reason with this volume's names
 * @param isFree whether the explanation lists pending claims
 */
record VolumeAnswer(Cause cause, String note, Next next, boolean isFree) {
  static VolumeAnswer of(VolumeStanding why, String note, Next next) {
    return new VolumeAnswer(
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

  /** Returns whether the next step only sets the phase. */
  boolean isOfPhase() {
    return next.by() == Actor.CONTROLLER && next.action() == Action.SET_PHASE;
  }

  VolumeAnswer with(Next other) {
    return new VolumeAnswer(cause, note, other, isFree);
  }

  static Next controller(Action action, String target, String text) {
    return new Next(Actor.CONTROLLER, action, target, text);
  }

  static VolumeAnswer of(Volume volume, VolumeDecision decision) {
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) when phase != volume.phase() ->
          of(
              VolumeStanding.PHASE_DUE,
              "it is " + volume.phase() + " and must become " + phase,
              controller(Action.SET_PHASE, phase.toString(), "sets its phase to " + phase));
      case VolumeDecision.SetPhase(VolumePhase phase) ->
          phase == VolumePhase.BOUND ? bound(volume) : settled(volume);
      case VolumeDecision.Reclaim _ ->
          throw new IllegalStateException("the reclaim explanation covers this");
      case VolumeDecision.Unbind() ->
          of(
              VolumeStanding.UNBINDING,
              "claim " + claimOf(volume) + " has another volume",
              controller(Action.UNBIND, claimOf(volume), "removes its claimRef"));
      case VolumeDecision.WakeClaim(ObjectKey claim) -> binding(claim);
      case VolumeDecision.ModeMismatch(Claim claim, boolean unbind) ->
          new VolumeAnswer(
              BinderCauses.of(Reason.VOLUME_MODE_DIFFERS),
              "it is " + volume.volumeMode() + ", and claim " + claim.key() + " is not",
              unbind
                  ? controller(Action.UNBIND, claim.key().toString(), "removes its claimRef")
                  : Next.person(Reason.VOLUME_MODE_DIFFERS.remedy()),
              false);
      case VolumeDecision.Keep(Reason why, String note) -> ReclaimLook.reason(why, note);
      case VolumeDecision.LookLive(ObjectKey claim) -> cannotTell("claim " + claim);
      case VolumeDecision.CannotTell(String why) -> cannotTell(why);
    };
  }

  static VolumeAnswer binding(ObjectKey claim) {
    return of(
        VolumeStanding.VOLUME_BINDING,
        "claim " + claim + " is being bound to it",
        controller(Action.BIND, claim.toString(), "binds claim " + claim + " to it"));
  }

  /**
   * Explains a volume that is reserved for an unbound claim.
   *
   * @param ofClaim decision for the claim
   * @param failed tests of the claim that the volume fails
   */
  static VolumeAnswer reserved(
      Volume volume, ObjectKey claim, ClaimDecision ofClaim, List<Trial.Outcome> failed) {
    if (ofClaim instanceof ClaimDecision.Bind(Volume given)) {
      return given.key().equals(volume.key())
          ? binding(claim)
          : of(
              VolumeStanding.RESERVED,
              "claim " + claim + " gets volume " + given.key(),
              new Next(
                  Actor.CONTROLLER,
                  Action.SET_FREE,
                  claim.toString(),
                  "removes its claimRef when the claim is bound to that",
                  Timing.LATER));
    }
    if (failed.isEmpty()) {
      return of(
          VolumeStanding.RESERVED,
          "it is reserved for claim " + claim,
          Next.person("see why claim " + claim + " is not bound to it"));
    }
    return of(
        VolumeStanding.RESERVED_UNFIT,
        "it is reserved for claim "
            + claim
            + ", and "
            + failed.stream().map(Trial.Outcome::note).collect(Collectors.joining(", ")),
        Next.person(VolumeStanding.RESERVED_UNFIT.remedy()));
  }

  private static VolumeAnswer cannotTell(String why) {
    return new VolumeAnswer(
        BinderCauses.of(Unspoken.CANNOT_TELL),
        "claim could not be looked up: " + why,
        Next.person("repeat the command with the rights for it"),
        false);
  }

  static String claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? "" : ref.claim().toString();
  }

  private static VolumeAnswer bound(Volume volume) {
    return of(VolumeStanding.VOLUME_BOUND, "it is bound to claim " + claimOf(volume), Next.NOTHING);
  }

  private static VolumeAnswer settled(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.isEmpty()
        ? of(VolumeStanding.AVAILABLE, "it has no claim", Next.NOTHING)
        : of(
            VolumeStanding.RESERVED,
            "it is reserved for claim " + ref.claim(),
            Next.person("create claim " + ref.claim() + " so that the volume suits it"));
  }
}
