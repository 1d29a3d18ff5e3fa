package dev.mooring.binder.decide;

import dev.mooring.binder.decide.VolumeDecision.LookLive;
import dev.mooring.binder.decide.VolumeDecision.ModeMismatch;
import dev.mooring.binder.decide.VolumeDecision.Reclaim;
import dev.mooring.binder.decide.VolumeDecision.SetPhase;
import dev.mooring.binder.decide.VolumeDecision.Unbind;
import dev.mooring.binder.decide.VolumeDecision.WakeClaim;
import dev.mooring.binder.decide.VolumeView.Known;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;

/** Decides what becomes of a volume. Ids in comments are the scenario ids of this package. */
public final class VolumeDecider {
  private VolumeDecider() {}

  /** The one thing to do now. */
  public static VolumeDecision decide(VolumeView view) {
    Volume volume = view.volume();
    ClaimRef ref = volume.claimRef();
    if (ref == null || ref.uid().isNone()) {
      return new SetPhase(VolumePhase.AVAILABLE); // V1, V2
    }
    boolean done = volume.phase() == VolumePhase.RELEASED || volume.phase() == VolumePhase.FAILED;
    return switch (view.claim()) {
      case Known.Cached(Claim claim) when claim.meta().uid().equals(ref.uid()) ->
          claimed(volume, claim);
      case Known.Cached _ ->
          new LookLive(ref.claim()); // another claim of that name, says a cache that may be old
      case Known.NotCached _ when done -> new Reclaim(false); // V5
      case Known.NotCached _ -> new LookLive(ref.claim());
      case Known.Live(Claim claim) when claim.meta().uid().equals(ref.uid()) ->
          claimed(volume, claim);
      case Known.Live _, Known.Gone _ -> new Reclaim(!done); // V4, V5
    };
  }

  private static VolumeDecision claimed(Volume volume, Claim claim) {
    if (claim.volumeName().isEmpty()) {
      return volume.volumeMode() == claim.volumeMode()
          ? new WakeClaim(claim.key())
          : new ModeMismatch(claim); // V7 and V8, V6
    }
    if (claim.volumeName().equals(volume.meta().name())) {
      return new SetPhase(VolumePhase.BOUND); // V9
    }
    boolean ours =
        volume.meta().has(Marks.PROVISIONED_BY) && volume.reclaimPolicy() == ReclaimPolicy.DELETE;
    if (!ours) {
      return new Unbind(); // V11
    }
    return new Reclaim(
        volume.phase() != VolumePhase.RELEASED && volume.phase() != VolumePhase.FAILED); // V10
  }
}
