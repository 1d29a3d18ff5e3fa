package dev.mooring.protection.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Claim.Condition;
import dev.mooring.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides about the claim condition {@code Unused} (KEP-5541), which shows since when no pod has
 * used a claim, so that administrators can find forgotten claims.
 */
public final class UnusedDecider {
  public static final String TYPE = "Unused";

  private static final String TRUE = "True";
  private static final String FALSE = "False";

  private UnusedDecider() {}

  public static boolean lacksCondition(Claim claim) {
    return !claim.meta().isBeingDeleted() && condition(claim).isEmpty();
  }

  public static boolean isMarkedUsed(Claim claim) {
    return hasCondition(claim, FALSE);
  }

  /**
   * Decides about a claim.
   *
   * @param cachedPods cached pods that name the claim
   */
  public static Step<UnusedDecision> decide(
      Claim claim, Iterable<Pod> cachedPods, LiveFacts live, Instant now) {
    if (claim.meta().isBeingDeleted()) {
      return Step.decided(new UnusedDecision.Unchanged());
    }
    if (isUsed(claim, cachedPods)) {
      return Step.decided(decideUsed(claim, now));
    }
    Question.NamespaceList<Pod> question = FinalizerDecider.podsQuestion(claim);
    return switch (live.of(question)) {
      case Fact.Present<List<Pod>>(List<Pod> pods) ->
          Step.decided(isUsed(claim, pods) ? decideUsed(claim, now) : decideUnused(claim, now));
      // a claim with the correct condition needs no live list
      case Fact.NotAsked<List<Pod>> _ when hasCondition(claim, TRUE) ->
          Step.decided(new UnusedDecision.Unchanged());
      case Fact.NotAsked<List<Pod>> _ -> Step.ask(question);
      case Fact.Absent<List<Pod>> _ ->
          Step.decided(new UnusedDecision.Unknown("the API server has no list of pods"));
      case Fact.Unknown<List<Pod>>(String message) ->
          Step.decided(new UnusedDecision.Unknown(message));
    };
  }

  private static UnusedDecision decideUsed(Claim claim, Instant now) {
    return condition(claim).isEmpty() || hasCondition(claim, TRUE)
        ? createDecision(
            claim, FALSE, "PodUsingPVC", "A pod is currently referencing this PVC", now)
        : new UnusedDecision.Unchanged();
  }

  private static UnusedDecision decideUnused(Claim claim, Instant now) {
    return hasCondition(claim, TRUE)
        ? new UnusedDecision.Unchanged()
        : createDecision(
            claim, TRUE, "NoPodsUsingPVC", "No pods are currently referencing this PVC", now);
  }

  private static UnusedDecision createDecision(
      Claim claim, String status, String reason, String message, Instant now) {
    Condition condition = new Condition(TYPE, status, reason, message, 0, now.getEpochSecond());
    List<Condition> conditions = new ArrayList<>(claim.status().conditions());
    conditions.replaceAll(c -> c.type().equals(TYPE) ? condition : c);
    if (!conditions.contains(condition)) {
      conditions.add(condition);
    }
    return new UnusedDecision.SetCondition(List.copyOf(conditions));
  }

  private static Optional<Condition> condition(Claim claim) {
    return claim.status().conditions().stream().filter(c -> c.type().equals(TYPE)).findFirst();
  }

  private static boolean hasCondition(Claim claim, String status) {
    return condition(claim).map(c -> c.status().equals(status)).orElse(false);
  }

  /**
   * Returns whether a pod uses the claim. Unlike for finalizers, a pod counts before it is
   * scheduled, and no longer once it has ended.
   */
  private static boolean isUsed(Claim claim, Iterable<Pod> pods) {
    for (Pod pod : pods) {
      if (!pod.isTerminated()
          && pod.key().namespace().equals(claim.key().namespace())
          && (PodClaims.hasNamedClaim(pod, claim)
              || PodClaims.hasEphemeralClaim(pod, claim)
                  && claim.meta().controller().equals(pod.meta().uid()))) {
        return true;
      }
    }
    return false;
  }
}
