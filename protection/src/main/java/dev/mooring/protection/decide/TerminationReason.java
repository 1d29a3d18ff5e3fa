package dev.mooring.protection.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.storage.VolumeService;
import java.util.List;

/** Reasons why an object that is being deleted still exists. */
public enum TerminationReason implements ReasonCode {
  HELD_BY_PODS(
      "it is being deleted, and scheduled pods use it", "delete the pods, or wait until they end"),
  HELD_BY_CLAIM(
      "it is being deleted, and is bound to a claim",
      "delete the claim first, if its data is no longer needed"),
  HELD_BY_PHASE(
      "it is being deleted, and its phase is Bound although it names no claim",
      "if it takes long, see whether the controller that binds volumes runs"),
  HELD_BY_FINALIZERS(
      "it is being deleted, and finalizers keep it until their owners remove them",
      "see why the owner of a finalizer does not remove it; remove it by hand only if no program will"),
  HELD_BY_PROVISIONING(
      "it is being deleted, and it is unknown whether the storage created a volume for it",
      "see why the storage does not answer; to delete the claim anyway, and perhaps leave a volume behind in the storage, remove its finalizer "
          + VolumeService.BEING_MADE),
  HELD_BY_SNAPSHOTS(
      "it is being deleted, and the snapshot controller keeps it for snapshots of it",
      "delete the VolumeSnapshots that are not ready, or correct what their status reports"),
  FINALIZER_DUE("it is being deleted, and nothing uses it", "");

  private final ReasonText wording;

  TerminationReason(String meaning, String remedy) {
    this.wording = new ReasonText(meaning, remedy);
  }

  public static TerminationReason of(FinalizerDecision decision, List<String> otherFinalizers) {
    return switch (decision) {
      case FinalizerDecision.Hold(List<FinalizerDecision.ObjectUse> uses) ->
          switch (uses.getFirst().userKind()) {
            case POD -> HELD_BY_PODS;
            case CLAIM -> HELD_BY_CLAIM;
            case PHASE -> HELD_BY_PHASE;
            case VOLUME ->
                HELD_BY_FINALIZERS; // the protection finalizer is the same for every kind of user
          };
      case FinalizerDecision.Protect _,
          FinalizerDecision.Release _,
          FinalizerDecision.Unchanged _,
          FinalizerDecision.Unknown _ ->
          findReason(otherFinalizers);
    };
  }

  private static TerminationReason findReason(List<String> otherFinalizers) {
    if (otherFinalizers.isEmpty()) {
      return FINALIZER_DUE;
    }
    if (otherFinalizers.equals(List.of(VolumeService.BEING_MADE))) {
      return HELD_BY_PROVISIONING;
    }
    return otherFinalizers.getFirst().equals(VolumeSnapshot.CLAIM_PROTECTION)
        ? HELD_BY_SNAPSHOTS
        : HELD_BY_FINALIZERS;
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
