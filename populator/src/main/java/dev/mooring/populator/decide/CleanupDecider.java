package dev.mooring.populator.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.Kind;
import dev.mooring.populator.decide.PopulationDecision.Await;
import dev.mooring.populator.decide.PopulationDecision.CheckAgain;
import dev.mooring.populator.decide.PopulationDecision.Conflict;
import dev.mooring.populator.decide.PopulationDecision.DeletePod;
import dev.mooring.populator.decide.PopulationDecision.DeletePrime;
import dev.mooring.populator.decide.PopulationDecision.Finish;
import dev.mooring.populator.decide.PopulationDecision.Leave;
import dev.mooring.populator.decide.PopulationDecision.Unanswered;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Decides how the objects of a population are removed: pod, prime claim, then the finalizer of the
 * user's claim. Objects of other programs stay.
 */
final class CleanupDecider {
  private static final Duration SHORTEST_DELAY = Duration.ofMillis(500);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(15);
  private static final int SHARE_OF_AGE = 10;

  private CleanupDecider() {}

  static Step<PopulationDecision> removeOrphan(PopulationView view, LiveFacts live) {
    Question<Claim> question = new Question.ObjectRead<>(Kind.CLAIM, view.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Claim> _ -> Step.ask(question);
      case Fact.Unknown<Claim>(String message) ->
          Step.decided(new Unanswered("reading claim " + view.key() + ": " + message));
      case Fact.Present<Claim>(Claim claim) when claim.meta().uid().equals(view.uid()) ->
          Step.decided(new Conflict("claim " + view.key() + " is not in the cache yet"));
      case Fact.Present<Claim> _, Fact.Absent<Claim> _ ->
          remove(view, () -> Step.decided(new Leave()));
    };
  }

  static Step<PopulationDecision> endBound(PopulationView view, Claim claim, LiveFacts live) {
    if (view.ownPrime().filter(p -> !p.meta().isBeingDeleted()).isEmpty()) {
      return end(view, claim, live);
    }
    Claim prime = view.ownPrime().get();
    if (prime.volumeName().equals(claim.volumeName())) {
      return prime.phase() == ClaimPhase.LOST
          ? end(view, claim, live)
          : Step.decided(new Await(PopulationReason.POPULATED_VOLUME_UNBOUND));
    }
    Question<Claim> question = new Question.ObjectRead<>(Kind.CLAIM, claim.key());
    return switch (live.of(question)) {
      case Fact.NotAsked<Claim> _ -> Step.ask(question);
      case Fact.Unknown<Claim>(String message) ->
          Step.decided(new Unanswered("reading claim " + claim.key() + ": " + message));
      case Fact.Present<Claim>(Claim found)
          when found.meta().uid().equals(claim.meta().uid())
              && found.volumeName().equals(claim.volumeName()) ->
          end(view, claim, live);
      case Fact.Present<Claim> _, Fact.Absent<Claim> _ ->
          Step.decided(new Conflict("claim " + claim.key() + " has changed"));
    };
  }

  static Step<PopulationDecision> end(PopulationView view, Claim claim, LiveFacts live) {
    return remove(view, () -> finish(view, claim, live));
  }

  private static Step<PopulationDecision> finish(PopulationView view, Claim claim, LiveFacts live) {
    if (!PopulatorMarks.isHeld(claim)) {
      return Step.decided(new Leave());
    }
    Question<Claim> question = new Question.ObjectRead<>(Kind.CLAIM, view.primeKey());
    return switch (live.of(question)) {
      case Fact.NotAsked<Claim> _ -> Step.ask(question);
      case Fact.Unknown<Claim>(String message) ->
          Step.decided(new Unanswered("reading claim " + view.primeKey() + ": " + message));
      case Fact.Present<Claim>(Claim prime)
          when PopulatorMarks.isPrimeOf(prime, view.key(), view.uid()) ->
          Step.decided(new Conflict("claim " + view.primeKey() + " still exists"));
      case Fact.Present<Claim> _, Fact.Absent<Claim> _ ->
          Step.decided(new Finish(claim, isPopulated(view, claim)));
    };
  }

  private static boolean isPopulated(PopulationView view, Claim claim) {
    return view.volume()
        .filter(volume -> volume.meta().name().equals(claim.volumeName()))
        .filter(volume -> volume.meta().hasAnnotation(PopulatorMarks.POPULATED_FROM))
        .isPresent();
  }

  static Step<PopulationDecision> remove(
      PopulationView view, Supplier<Step<PopulationDecision>> continuation) {
    return removePod(
        view,
        () ->
            view.ownPrime()
                .<Step<PopulationDecision>>map(prime ->
                    Step.decided(
                        prime.meta().isBeingDeleted()
                            ? new Await(PopulationReason.POPULATION_CLEANUP)
                            : new DeletePrime(prime)))
                .orElseGet(continuation));
  }

  static Step<PopulationDecision> removePod(
      PopulationView view, Supplier<Step<PopulationDecision>> continuation) {
    return switch (view.pod()) {
      case Fact.Unknown<FillPod>(String message) ->
          Step.decided(new Unanswered("reading the populator pod: " + message));
      case Fact.Present<FillPod>(FillPod pod) when pod.belongsTo(view.key()) ->
          Step.decided(
              pod.isBeingDeleted()
                  ? new CheckAgain(PopulationReason.POPULATION_CLEANUP, delayFor(view, pod))
                  : new DeletePod(pod));
      case Fact.Present<FillPod> _, Fact.Absent<FillPod> _, Fact.NotAsked<FillPod> _ ->
          continuation.get();
    };
  }

  /**
   * Returns the delay until the pod is read again: pods are not watched, and old ones take long.
   */
  static Duration delayFor(PopulationView view, FillPod pod) {
    Duration share =
        Duration.ofSeconds(Math.max(0, view.decisionTime().getEpochSecond() - pod.created()))
            .dividedBy(SHARE_OF_AGE);
    if (share.compareTo(SHORTEST_DELAY) < 0) {
      return SHORTEST_DELAY;
    }
    return share.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : share;
  }
}
