package dev.mooring.binder.explain;

import dev.mooring.binder.decide.ClaimDecision;
import dev.mooring.binder.decide.MatchReport;
import dev.mooring.binder.decide.Reason;
import dev.mooring.binder.decide.VolumeDecision;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepTiming;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.List;
import java.util.stream.Collectors;

/** Findings about volumes, one for each decision. */
final class VolumeFindings {
  private VolumeFindings() {}

  /**
   * Returns the finding for any decision but {@link VolumeDecision.Reclaim}, which {@link
   * ReclaimExplanation} explains.
   */
  static BinderFinding of(Volume volume, VolumeDecision decision) {
    return switch (decision) {
      case VolumeDecision.SetPhase(VolumePhase phase) when phase != volume.phase() ->
          BinderFinding.of(
              Reason.PHASE_DUE,
              "it is " + volume.phase() + " and must become " + phase,
              setPhase(phase));
      case VolumeDecision.SetPhase(VolumePhase phase) ->
          phase == VolumePhase.BOUND ? bound(volume) : settled(volume);
      case VolumeDecision.Reclaim _ ->
          throw new IllegalArgumentException("the reclaim explanation covers this");
      case VolumeDecision.Unbind() ->
          BinderFinding.of(
              Reason.UNBINDING,
              "claim " + claimOf(volume) + " has another volume",
              unbind(claimOf(volume)));
      case VolumeDecision.WakeClaim(ObjectKey claim) -> binding(claim);
      case VolumeDecision.ModeMismatch(Claim claim, boolean unbind) -> {
        BinderFinding finding =
            BinderFinding.forPerson(
                Reason.VOLUME_MODE_DIFFERS,
                "it is " + volume.volumeMode() + ", and claim " + claim.key() + " is not");
        yield unbind ? finding.withNextStep(unbind(claim.key().toString())) : finding;
      }
      case VolumeDecision.Keep(Reason reason, String message) ->
          BinderFinding.forPerson(reason, message);
      case VolumeDecision.Unknown(String message) ->
          BinderFinding.of(
              Reason.OBJECTS_UNREADABLE,
              "claim could not be read: " + message,
              NextStep.person("repeat the command with the rights for it"));
    };
  }

  static NextStep setPhase(VolumePhase phase) {
    return BinderFinding.controllerStep(
        ExpectedAction.SET_PHASE, phase.toString(), "sets its phase to " + phase);
  }

  private static NextStep unbind(String claim) {
    return BinderFinding.controllerStep(ExpectedAction.UNBIND, claim, "removes its claimRef");
  }

  static BinderFinding binding(ObjectKey claim) {
    return BinderFinding.of(
        Reason.VOLUME_BINDING,
        "claim " + claim + " is being bound to it",
        BinderFinding.controllerStep(
            ExpectedAction.BIND, claim.toString(), "binds claim " + claim + " to it"));
  }

  static BinderFinding reserved(
      Volume volume,
      ObjectKey claim,
      ClaimDecision claimDecision,
      List<MatchReport.TestResult> failedTests) {
    if (claimDecision instanceof ClaimDecision.Bind(Volume boundVolume)) {
      return boundVolume.key().equals(volume.key())
          ? binding(claim)
          : BinderFinding.of(
                  Reason.RESERVED,
                  "claim " + claim + " gets volume " + boundVolume.key(),
                  BinderFinding.controllerStep(
                      ExpectedAction.CLEAR_CLAIM_REF,
                      claim.toString(),
                      "removes its claimRef when the claim is bound to that",
                      StepTiming.LATER))
              .withCandidates();
    }
    String message = "it is reserved for claim " + claim;
    String failures =
        failedTests.stream().map(MatchReport.TestResult::message).collect(Collectors.joining(", "));
    return failedTests.isEmpty()
        ? reserved(message, "see why claim " + claim + " is not bound to it")
        : BinderFinding.forPerson(Reason.RESERVED_UNFIT, message + ", and " + failures)
            .withCandidates();
  }

  private static BinderFinding reserved(String message, String remedy) {
    return BinderFinding.of(Reason.RESERVED, message, NextStep.person(remedy)).withCandidates();
  }

  static String claimOf(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref == null ? "" : ref.claim().toString();
  }

  private static BinderFinding bound(Volume volume) {
    return BinderFinding.of(
        Reason.VOLUME_BOUND, "it is bound to claim " + claimOf(volume), NextStep.NOTHING);
  }

  private static BinderFinding settled(Volume volume) {
    ClaimRef ref = volume.claimRef();
    if (ref == null || ref.isEmpty()) {
      return BinderFinding.of(Reason.AVAILABLE, "it has no claim", NextStep.NOTHING)
          .withCandidates();
    }
    String missingField =
        ref.claim().name().isEmpty()
            ? "name"
            : ref.claim().namespace().isEmpty() ? "namespace" : "";
    return missingField.isEmpty()
        ? reserved(
            "it is reserved for claim " + ref.claim(),
            "create claim " + ref.claim() + " so that the volume suits it")
        : reserved(
            "its claimRef has no " + missingField + ", so that no claim can get it",
            "set claimRef." + missingField + " of the volume, or remove the claimRef");
  }
}
