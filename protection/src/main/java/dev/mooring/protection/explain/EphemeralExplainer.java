package dev.mooring.protection.explain;

import dev.mooring.explain.Cause;
import dev.mooring.explain.ClusterView;
import dev.mooring.explain.Evidence;
import dev.mooring.explain.ExpectedAction;
import dev.mooring.explain.Explainer;
import dev.mooring.explain.Explanation;
import dev.mooring.explain.NextStep;
import dev.mooring.explain.StepActor;
import dev.mooring.explain.SubjectRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.protection.decide.EphemeralDecider;
import dev.mooring.protection.decide.EphemeralDecision;
import dev.mooring.protection.decide.EphemeralReason;
import dev.mooring.reconcile.Compat;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Explains pods that lack a claim for a generic ephemeral volume.
 *
 * @param compat behaviour of the cluster's controller
 */
public record EphemeralExplainer(ClusterView clusterView, Compat compat) implements Explainer {
  @Override
  public Kind<?> kind() {
    return Kind.POD;
  }

  @Override
  public List<Cause> catalogue() {
    return Arrays.stream(EphemeralReason.values()).map(EphemeralExplainer::cause).toList();
  }

  private static Cause cause(EphemeralReason reason) {
    return Cause.of(reason, reason.rank());
  }

  @Override
  public List<Explanation> explain(ObjectKey key, Detail detail) {
    Optional<Pod> cachedPod = clusterView.informer(Kind.POD).get(key);
    if (cachedPod.isEmpty() || clusterView.readError(Kind.CLAIM).isPresent()) {
      return List.of();
    }
    Pod pod = cachedPod.get();
    return switch (EphemeralDecider.decide(
        pod, claim -> clusterView.informer(Kind.CLAIM).get(claim), compat)) {
      case EphemeralDecision.Nothing() -> List.of();
      case EphemeralDecision.CreateClaim(String volume, ObjectKey claim) ->
          List.of(
              createExplanation(
                  pod,
                  EphemeralReason.CLAIM_DUE,
                  "its volume " + volume + " has no claim yet",
                  new NextStep(
                      StepActor.CONTROLLER,
                      ExpectedAction.CREATE_CLAIM,
                      claim.name(),
                      "creates claim " + claim.name() + " for it")));
      case EphemeralDecision.ForeignClaim(String volume, ObjectKey claim) ->
          List.of(
              createExplanation(
                  pod,
                  EphemeralReason.CLAIM_OF_ANOTHER,
                  "its volume %s needs claim %s, which does not belong to it"
                      .formatted(volume, claim.name()),
                  NextStep.person(EphemeralReason.CLAIM_OF_ANOTHER.remedy())));
    };
  }

  private static Explanation createExplanation(
      Pod pod, EphemeralReason reason, String message, NextStep nextStep) {
    return new Explanation(
        new SubjectRef(Kind.POD, pod.key()),
        switch (pod.phase()) {
          case UNSET, PENDING -> pod.nodeName().isEmpty() ? "Pending, unscheduled" : "Pending";
          case RUNNING -> "Running";
          case SUCCEEDED -> "Succeeded";
          case FAILED -> "Failed";
        },
        pod.meta().created(),
        cause(reason),
        message,
        nextStep,
        Evidence.NONE,
        List.of());
  }
}
