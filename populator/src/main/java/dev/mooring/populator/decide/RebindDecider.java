package dev.mooring.populator.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.populator.decide.PopulationDecision.Await;
import dev.mooring.populator.decide.PopulationDecision.Conflict;
import dev.mooring.populator.decide.PopulationDecision.Rebind;
import dev.mooring.populator.decide.PopulationDecision.Unanswered;

/**
 * Decides whether the filled volume may move to the user's claim. Both claims and the volume are
 * read live: the claim may have been deleted, or bound to another volume.
 */
final class RebindDecider {
  private RebindDecider() {}

  static Step<Fact<Volume>> askVolume(Claim prime, LiveFacts live) {
    Question<Volume> question =
        new Question.ObjectRead<>(Kind.VOLUME, ObjectKey.cluster(prime.volumeName()));
    return live.isAnswered(question) ? Step.decided(live.of(question)) : Step.ask(question);
  }

  static Step<PopulationDecision> decide(Claim claim, Claim prime, LiveFacts live) {
    Question<Claim> claimQuestion = new Question.ObjectRead<>(Kind.CLAIM, claim.key());
    Question<Claim> primeQuestion = new Question.ObjectRead<>(Kind.CLAIM, prime.key());
    Question<Volume> volumeQuestion =
        new Question.ObjectRead<>(Kind.VOLUME, ObjectKey.cluster(prime.volumeName()));
    if (!live.isAnswered(claimQuestion)) {
      return Step.ask(claimQuestion, primeQuestion, volumeQuestion);
    }
    return Step.decided(
        switch (live.of(claimQuestion)) {
          case Fact.Present<Claim>(Claim found) when isWaiting(found, claim) ->
              switch (live.of(primeQuestion)) {
                case Fact.Present<Claim>(Claim foundPrime) when isUnchanged(foundPrime, prime) ->
                    decide(found, prime, live.of(volumeQuestion));
                case Fact<Claim> answer -> toConflict("prime claim " + prime.key(), answer);
              };
          case Fact<Claim> answer -> toConflict("claim " + claim.key(), answer);
        });
  }

  private static boolean isWaiting(Claim found, Claim claim) {
    return found.meta().uid().equals(claim.meta().uid())
        && !found.meta().isBeingDeleted()
        && found.volumeName().isEmpty();
  }

  private static boolean isUnchanged(Claim found, Claim prime) {
    return found.meta().uid().equals(prime.meta().uid())
        && !found.meta().isBeingDeleted()
        && found.volumeName().equals(prime.volumeName());
  }

  private static PopulationDecision decide(Claim claim, Claim prime, Fact<Volume> answer) {
    if (!(answer instanceof Fact.Present<Volume>(Volume volume))) {
      return toConflict("volume " + prime.volumeName(), answer);
    }
    if (PopulationDecider.isBoundTo(volume, claim.meta().uid())) {
      return new Await(PopulationReason.POPULATED_VOLUME_UNBOUND);
    }
    if (!PopulationDecider.isBoundTo(volume, prime.meta().uid())) {
      return toConflict("volume " + prime.volumeName(), answer);
    }
    return volume.meta().isBeingDeleted()
        ? new Await(PopulationReason.PRIME_CLAIM_UNBOUND) // the prime claim becomes Lost
        : new Rebind(volume, claim);
  }

  private static PopulationDecision toConflict(String object, Fact<?> answer) {
    return answer instanceof Fact.Unknown<?>(String message)
        ? new Unanswered("reading " + object + ": " + message)
        : new Conflict(object + " has changed");
  }
}
