package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.VolumePhase;

public sealed interface VolumeDecision {
  record SetPhase(VolumePhase phase) implements VolumeDecision {}

  // isClaimGone: the API server has just returned that the claim does not exist
  record Reclaim(boolean setReleased, boolean isClaimGone) implements VolumeDecision {}

  record Unbind() implements VolumeDecision {}

  record WakeClaim(ObjectKey claim) implements VolumeDecision {}

  record ModeMismatch(Claim claim, boolean unbind) implements VolumeDecision {}

  record Keep(Reason reason, String message) implements VolumeDecision {}

  record Unknown(String message) implements VolumeDecision {}
}
