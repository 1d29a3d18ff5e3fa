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
 * What a decision about a volume means to its owner.
 *
 * @param cause the reason
 * @param note the reason with this volume's names
 * @param next what happens next
 * @param isFree whether it matters which claims wait
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

  /** Whether all that happens next is that its phase is put right. */
  boolean isOfPhase() {
    return next.by() == Actor.CONTROLLER && next.action() == Action.SET_PHASE;
  }

  /** The same, but that happens next. */
  VolumeAnswer with(Next other) {
    return new VolumeAnswer(cause, note, other, isFree);
  }

  static Next controller(Action action, String target, String text) {
    return new Next(Actor.CONTROLLER, action, target, text);
  }

  /** Of a decision. */
  static VolumeAnswer of(Volume volume, VolumeDecision decision) {
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) when phase != volume.phase() ->
          of(
              VolumeStanding.PHASE_DUE,
              "it is " + volume.phase() + " and ought to be " + phase,
              controller(Action.SET_PHASE, phase.toString(), "sets its phase to " + phase));
      case VolumeDecision.SetPhase(VolumePhase phase) ->
          phase == VolumePhase.BOUND ? bound(volume) : settled(volume);
      case VolumeDecision.Reclaim _ ->
          throw new IllegalStateException("who reclaims it answers for that");
      case VolumeDecision.Unbind() ->
          of(
              VolumeStanding.UNBINDING,
              "claim " + claimOf(volume) + " has another volume",
              controller(Action.UNBIND, claimOf(volume), "takes its claimRef away"));
      case VolumeDecision.WakeClaim(ObjectKey claim) -> binding(claim);
      case VolumeDecision.ModeMismatch(Claim claim, boolean unbind) ->
          new VolumeAnswer(
              BinderCauses.of(Reason.VOLUME_MODE_DIFFERS),
              "it is " + volume.volumeMode() + ", and claim " + claim.key() + " is not",
              unbind
                  ? controller(Action.UNBIND, claim.key().toString(), "takes its claimRef away")
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
   * Of a volume that is a claim's who has none yet.
   *
   * @param ofClaim what is decided for the claim
   * @param failed the tests of the claim that the volume fails
   */
  static VolumeAnswer reserved(
      Volume volume, ObjectKey claim, ClaimDecision ofClaim, List<Trial.Outcome> failed) {
    if (ofClaim instanceof ClaimDecision.Bind(Volume given)) {
      return given.key().equals(volume.key())
          ? binding(claim)
          : of(
              VolumeStanding.RESERVED,
              "claim " + claim + " is given volume " + given.key(),
              new Next(
                  Actor.CONTROLLER,
                  Action.SET_FREE,
                  claim.toString(),
                  "sets it free when the claim has that",
                  Timing.LATER));
    }
    if (failed.isEmpty()) {
      return of(
          VolumeStanding.RESERVED,
          "it is kept for claim " + claim,
          Next.person("see why claim " + claim + " does not take it"));
    }
    return of(
        VolumeStanding.RESERVED_UNFIT,
        "it is claim "
            + claim
            + "'s, and "
            + failed.stream().map(Trial.Outcome::note).collect(Collectors.joining(", ")),
        Next.person(VolumeStanding.RESERVED_UNFIT.remedy()));
  }

  private static VolumeAnswer cannotTell(String why) {
    return new VolumeAnswer(
        BinderCauses.of(Unspoken.CANNOT_TELL),
        "claim could not be looked up: " + why,
        Next.person("ask again, with the rights for it"),
        false);
  }

  static String claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? "" : ref.claim().toString();
  }

  private static VolumeAnswer bound(Volume volume) {
    return of(VolumeStanding.VOLUME_BOUND, "it is claim " + claimOf(volume) + "'s", Next.NOTHING);
  }

  private static VolumeAnswer settled(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null || ref.isEmpty()
        ? of(VolumeStanding.AVAILABLE, "it is nobody's", Next.NOTHING)
        : of(
            VolumeStanding.RESERVED,
            "it is kept for claim " + ref.claim(),
            Next.person("make claim " + ref.claim() + " so that the volume suits it"));
  }
}
