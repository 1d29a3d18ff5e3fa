package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeDecision.Keep;
import dev.mooring.binder.decide.VolumeDecision.ModeMismatch;
import dev.mooring.binder.decide.VolumeDecision.Reclaim;
import dev.mooring.binder.decide.VolumeDecision.SetPhase;
import dev.mooring.binder.decide.VolumeDecision.Unbind;
import dev.mooring.binder.decide.VolumeDecision.Unknown;
import dev.mooring.binder.decide.VolumeDecision.WakeClaim;
import dev.mooring.binder.decide.VolumeView.KnownClaim;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import dev.mooring.storage.decide.VolumeOrigin;

/** Decides the next step for a volume. Ids in comments are the scenario ids of this package. */
public final class VolumeDecider {
  private VolumeDecider() {}

  public static Step<VolumeDecision> decide(VolumeView view, BinderPolicy policy) {
    return decideByClaim(view, policy).map(decision -> keepIfInterrupted(view, decision));
  }

  private static VolumeDecision keepIfInterrupted(VolumeView view, VolumeDecision decision) {
    return switch (decision) {
      case SetPhase _, Unbind _, WakeClaim _, ModeMismatch _
          when BinderMarks.isDestroyed(view.volume()) ->
          new SetPhase(view.volume().phase()); // V14
      case SetPhase _, Unbind _, WakeClaim _, ModeMismatch _
          when BinderMarks.isPossiblyBeingDestroyed(view.volume()) ->
          new Keep(
              Reason.DELETION_INTERRUPTED,
              "a plugin began to delete the volume, whose claimRef was then removed; the outcome is unknown"); // V12
      default -> decision;
    };
  }

  private static Step<VolumeDecision> decideByClaim(VolumeView view, BinderPolicy policy) {
    Volume volume = view.volume();
    ClaimRef ref = volume.claimRef();
    if (!policy.compat().isKubernetes() && isAbandoned(volume)) {
      return Step.decided(new Reclaim(false, false));
    }
    if (ref == null || ref.uid().isNone()) {
      return Step.decided(new SetPhase(VolumePhase.AVAILABLE)); // V1, V2
    }
    boolean isReleased =
        volume.phase() == VolumePhase.RELEASED || volume.phase() == VolumePhase.FAILED;
    return switch (view.claim()) {
      case KnownClaim.Cached(Claim claim) when claim.meta().uid().equals(ref.uid()) ->
          Step.decided(decideClaimed(volume, claim, policy));
      // the reclaim itself asks the API server; a resync need not
      case KnownClaim.Cached _ when isReleased -> Step.decided(reclaim(volume, policy));
      // the cache may be stale: it has another claim of that name, or none
      case KnownClaim.Cached _ -> askServer(view, ref, policy);
      case KnownClaim.NotCached _ when isReleased -> Step.decided(reclaim(volume, policy)); // V5
      case KnownClaim.NotCached _ when isImpossibleKey(ref.claim()) ->
          // no object can have that key, so the API server cannot be asked
          Step.decided(release(view, ref, policy));
      case KnownClaim.NotCached _ -> askServer(view, ref, policy);
      case KnownClaim.Live(Claim claim) when claim.meta().uid().equals(ref.uid()) ->
          Step.decided(decideClaimed(volume, claim, policy));
      case KnownClaim.Unknown(String message) -> Step.decided(new Unknown(message));
      case KnownClaim.Live _, KnownClaim.Gone _ ->
          Step.decided(isReleased ? reclaim(volume, policy) : release(view, ref, policy)); // V5, V4
    };
  }

  // the reasons for keeping a volume change only with the volume: do not ask again
  private static Step<VolumeDecision> askServer(
      VolumeView view, ClaimRef ref, BinderPolicy policy) {
    return view.history().wasKept() && mustBeKept(view, ref, policy)
        ? Step.decided(keep(ref))
        : Step.ask(Kind.CLAIM, ref.claim());
  }

  private static VolumeDecision release(VolumeView view, ClaimRef ref, BinderPolicy policy) {
    return mustBeKept(view, ref, policy)
        ? keep(ref) // V13
        : new Reclaim(true, view.claim() instanceof KnownClaim.Gone); // V4
  }

  private static Keep keep(ClaimRef ref) {
    return new Keep(
        Reason.NEVER_BOUND,
        "no claim "
            + ref.claim()
            + " with the uid in the claimRef exists, and the volume is not Bound");
  }

  /**
   * Returns whether a volume without its claim must not be released. The volume is not Bound and
   * was not provisioned for that claim, so it may contain data of an earlier use.
   */
  private static boolean mustBeKept(VolumeView view, ClaimRef ref, BinderPolicy policy) {
    Volume volume = view.volume();
    boolean isUnused =
        VolumeOrigin.isOriginal(volume)
            || view.history().claimHadNoVolume() && VolumeOrigin.isMadeFor(volume, ref.uid());
    return !isUnused && isProtected(volume, policy);
  }

  private static boolean isProtected(Volume volume, BinderPolicy policy) {
    boolean wasBound =
        volume.phase() == VolumePhase.BOUND || BinderMarks.isReleasedOrFailed(volume.phase());
    boolean isDestroyable =
        volume.reclaimPolicy() == ReclaimPolicy.DELETE
            || volume.reclaimPolicy() == ReclaimPolicy.RECYCLE;
    return !policy.compat().isKubernetes()
        && !wasBound
        && isDestroyable
        && !VolumeOrigin.isToBeDestroyed(volume);
  }

  private static VolumeDecision decideClaimed(Volume volume, Claim claim, BinderPolicy policy) {
    if (claim.volumeName().isEmpty()) {
      return VolumeCriterion.VOLUME_MODE.passes(new MatchSubject(claim, policy), volume)
          ? new WakeClaim(claim.key())
          : new ModeMismatch(
              claim,
              !policy.compat().isKubernetes()
                  && !VolumeOrigin.isDisposable(volume)); // V7 and V8, V6
    }
    if (claim.volumeName().equals(volume.meta().name())) {
      return new SetPhase(VolumePhase.BOUND); // V9
    }
    if (!VolumeOrigin.isDisposable(volume)) {
      return new Unbind(); // V11
    }
    boolean isMadeForClaim =
        VolumeOrigin.isOriginal(volume) || VolumeOrigin.isMadeFor(volume, claim.meta().uid());
    if (!isMadeForClaim && isProtected(volume, policy)) {
      return new Keep(
          Reason.NEVER_BOUND,
          "claim " + claim.key() + " has another volume, and this one is not Bound"); // V13
    }
    return new Reclaim(!BinderMarks.isReleasedOrFailed(volume.phase()), false); // V10
  }

  private static boolean isImpossibleKey(ObjectKey claim) {
    return claim.namespace().isEmpty() || !claim.flaw().isEmpty();
  }

  /**
   * In Kubernetes a Failed volume with policy Retain stays Failed, although nothing is left to
   * fail.
   */
  private static VolumeDecision reclaim(Volume volume, BinderPolicy policy) {
    return !policy.compat().isKubernetes()
            && volume.phase() == VolumePhase.FAILED
            && volume.reclaimPolicy() == ReclaimPolicy.RETAIN
        ? new SetPhase(VolumePhase.RELEASED)
        : new Reclaim(false, false);
  }

  /**
   * Returns whether the volume of an in-tree plugin has no claim and is being deleted. In
   * Kubernetes its finalizer stays forever, because only reclaiming removes it.
   */
  public static boolean isAbandoned(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return (ref == null || ref.isEmpty())
        && volume.meta().isBeingDeleted()
        && volume.reclaimPolicy() == ReclaimPolicy.DELETE
        && volume
            .meta()
            .annotation(BinderMarks.PROVISIONED_BY)
            .startsWith(BinderMarks.IN_TREE_PREFIX)
        && volume.finalizers().contains(BinderMarks.IN_TREE_FINALIZER);
  }
}
