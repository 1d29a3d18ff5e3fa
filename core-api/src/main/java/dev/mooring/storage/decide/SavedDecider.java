package dev.mooring.storage.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;

/**
 * Decides from a live read whether a claim's volume is saved. Ids in comments are the rows of
 * {@code docs/dev/live-verdicts.md}.
 */
public final class SavedDecider {
  private SavedDecider() {}

  public static Step<SavedVerdict> decide(ObjectKey volume, Claim claim, LiveFacts live) {
    Question.ObjectRead<Volume> question = new Question.ObjectRead<>(Kind.VOLUME, volume);
    return switch (live.of(question)) {
      case Fact.NotAsked<Volume> _ -> Step.ask(question);
      case Fact.Absent<Volume> _ -> Step.decided(new SavedVerdict.NotThere()); // M1
      case Fact.Unknown<Volume>(String message) ->
          Step.decided(new SavedVerdict.Unknown(message)); // M2
      case Fact.Present<Volume>(Volume existing) -> {
        ClaimRef ref = existing.claimRef();
        boolean isForClaim = ref != null && ref.isFor(claim.key(), claim.meta().uid());
        yield Step.decided(
            isForClaim
                ? new SavedVerdict.Saved() // M3
                : new SavedVerdict.NameTaken(existing)); // M4
      }
    };
  }
}
