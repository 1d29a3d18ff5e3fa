package dev.mooring.binder;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.ReclaimDecider;
import dev.mooring.binder.decide.ReclaimDecision;
import dev.mooring.binder.decide.RecycleDecision;
import dev.mooring.binder.decide.Trial;
import dev.mooring.binder.decide.Unspoken;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.binder.decide.VolumeStanding;
import dev.mooring.binder.execute.Deleters;
import dev.mooring.explain.Actor;
import dev.mooring.explain.Cause;
import dev.mooring.explain.Next;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.function.Supplier;
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
  private static VolumeAnswer of(VolumeStanding why, String note, Next next) {
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
              RECYCLING ->
              false;
        });
  }

  private static Next controller(String action, String target, String text) {
    return new Next(Actor.CONTROLLER, action, target, text);
  }

  /**
   * Of a decision.
   *
   * @param ofRecycler what is decided for the volume where it is to be recycled
   */
  static VolumeAnswer of(
      Volume volume,
      VolumeDecision decision,
      Deleters deleters,
      Supplier<RecycleDecision> ofRecycler) {
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) when phase != volume.phase() ->
          of(
              VolumeStanding.PHASE_DUE,
              "it is " + volume.phase() + " and ought to be " + phase,
              controller("set-phase", phase.toString(), "sets its phase to " + phase));
      case VolumeDecision.SetPhase(VolumePhase phase) ->
          phase == VolumePhase.BOUND ? bound(volume) : settled(volume);
      case VolumeDecision.Reclaim(boolean _) -> reclaim(volume, deleters, ofRecycler);
      case VolumeDecision.Unbind() ->
          of(
              VolumeStanding.UNBINDING,
              "claim " + claimOf(volume) + " has another volume",
              controller("unbind", claimOf(volume), "takes its claimRef away"));
      case VolumeDecision.WakeClaim(ObjectKey claim) -> binding(claim);
      case VolumeDecision.ModeMismatch(Claim claim, boolean unbind) ->
          new VolumeAnswer(
              BinderCauses.of(Reason.VOLUME_MODE_DIFFERS),
              "it is " + volume.volumeMode() + ", and claim " + claim.key() + " is not",
              unbind
                  ? controller("unbind", claim.key().toString(), "takes its claimRef away")
                  : Next.person(Reason.VOLUME_MODE_DIFFERS.remedy()),
              false);
      case VolumeDecision.LookLive(ObjectKey claim) -> cannotTell("claim " + claim);
      case VolumeDecision.CannotTell(String why) -> cannotTell(why);
    };
  }

  static VolumeAnswer binding(ObjectKey claim) {
    return of(
        VolumeStanding.VOLUME_BINDING,
        "claim " + claim + " is being bound to it",
        controller("bind", claim.toString(), "binds claim " + claim + " to it"));
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
              controller("set-free", claim.toString(), "sets it free when the claim has that"));
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

  private static String claimOf(Volume volume) {
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

  private static VolumeAnswer reclaim(
      Volume volume, Deleters deleters, Supplier<RecycleDecision> ofRecycler) {
    String gone = "claim " + claimOf(volume) + " is gone";
    return switch (ReclaimDecider.next(volume, false)) {
      case ReclaimDecision.Others() -> byOthers(volume, gone);
      case ReclaimDecision.Retain() ->
          of(VolumeStanding.RETAINED, gone, Next.person(VolumeStanding.RETAINED.remedy()));
      case ReclaimDecision.Recycle() -> recycle(ofRecycler.get(), gone);
      case ReclaimDecision.UnknownPolicy() -> reason(Reason.POLICY_UNKNOWN, gone);
      case ReclaimDecision.Delete _, ReclaimDecision.Destroyed _ ->
          switch (deleters.of(volume).verdict()) {
            case DeleterVerdict.Others() -> byOthers(volume, gone);
            case DeleterVerdict.Nobody(String note) -> reason(Reason.NO_DELETER, note);
            case DeleterVerdict.Plugin(String plugin) -> deleting(volume, plugin, gone);
          };
    };
  }

  private static VolumeAnswer recycle(RecycleDecision decision, String gone) {
    return switch (decision) {
      case RecycleDecision.InUse(List<ObjectKey> pods) ->
          reason(
              Reason.RECYCLE_WAITS,
              gone
                  + ", and these pods still name it: "
                  + pods.stream().map(ObjectKey::toString).collect(Collectors.joining(", ")));
      case RecycleDecision.NoRecycler() -> reason(Reason.NO_RECYCLER, gone);
      case RecycleDecision.Start _,
          RecycleDecision.Vanished _,
          RecycleDecision.Wait _,
          RecycleDecision.Leftover _,
          RecycleDecision.Succeeded _,
          RecycleDecision.Scrubbed _,
          RecycleDecision.Failed _ ->
          of(
              VolumeStanding.RECYCLING,
              gone,
              controller("recycle", "", "has a pod empty it, and makes it Available"));
    };
  }

  /** A person's turn. */
  private static VolumeAnswer reason(Reason why, String note) {
    return new VolumeAnswer(BinderCauses.of(why), note, Next.person(why.remedy()), false);
  }

  private static VolumeAnswer deleting(Volume volume, String plugin, String gone) {
    Next next = controller("delete", plugin, "has plugin " + plugin + " delete it");
    return volume.phase() == VolumePhase.FAILED
        ? new VolumeAnswer(BinderCauses.of(Reason.DELETE_FAILED), gone, next, false)
        : of(VolumeStanding.DELETING, gone, next);
  }

  private static VolumeAnswer byOthers(Volume volume, String gone) {
    String provisioner = volume.meta().annotation(Marks.PROVISIONED_BY);
    String who = provisioner.isEmpty() ? "its driver" : provisioner;
    return of(
        VolumeStanding.DELETED_BY_OTHERS,
        gone,
        new Next(Actor.PROVISIONER, "delete", provisioner, who + " deletes it, if it runs"));
  }
}
