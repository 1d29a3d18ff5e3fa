package dev.mooring.storage.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import java.util.List;

/**
 * Decides from a live read whether a claim's volume is saved. Ids in comments are the rows of
 * {@code docs/dev/live-verdicts.md}.
 */
public final class SavedDecider {
  private SavedDecider() {}

  public static SavedVerdict decide(ObjectKey volume, Claim claim, LiveFacts live) {
    Question.One<Volume> question = new Question.One<>(Kind.VOLUME, volume);
    return switch (live.of(question)) {
      case Fact.NotAsked<Volume> _ -> new SavedVerdict.Ask(List.of(question));
      case Fact.Absent<Volume> _ -> new SavedVerdict.NotThere(); // M1
      case Fact.Unknown<Volume>(String why) -> new SavedVerdict.CannotTell(why); // M2
      case Fact.Present<Volume>(Volume there) -> {
        ClaimRef ref = there.claimRef();
        yield ref != null && ref.isFor(claim.key(), claim.meta().uid())
            ? new SavedVerdict.Saved() // M3
            : new SavedVerdict.NameTaken(there); // M4
      }
    };
  }
}
