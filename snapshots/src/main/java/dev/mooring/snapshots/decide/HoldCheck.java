package dev.mooring.snapshots.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.NeedsLive;
import dev.mooring.live.Question;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.VolumeSnapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the claims are held of which a content is to be made. A cache may show one that was let
 * go and is gone, and its volume with it: the driver would be asked for a snapshot of nothing. Ids
 * in comments are the rows of {@code docs/live-verdicts.md}.
 */
public final class HoldCheck {
  /** Whether they are. */
  public sealed interface HoldVerdict {
    /** What it rests on no cache may answer: ask, and decide again. */
    record Ask(List<Question<?>> questions) implements HoldVerdict, NeedsLive {
      public Ask {
        questions = List.copyOf(questions);
      }
    }

    /** All are. Who lets one go that is being deleted asks first what is to be made of it. */
    record Held() implements HoldVerdict {}

    /** One is not: the cache is about to learn that. */
    record LetGo(String why) implements HoldVerdict {}

    /** The server does not say. */
    record Unknown(String why) implements HoldVerdict {}
  }

  private HoldCheck() {}

  /**
   * Decides.
   *
   * @param known the claims as the cache has them: held
   */
  public static HoldVerdict decide(List<Claim> known, LiveFacts live) {
    List<Question<?>> open = new ArrayList<>();
    for (Claim claim : known) {
      Question.One<Claim> question = new Question.One<>(Kind.CLAIM, claim.key());
      switch (live.of(question)) {
        case Fact.NotAsked<Claim> _ -> open.add(question);
        case Fact.Absent<Claim> _ -> {
          return new HoldVerdict.LetGo("claim " + claim.key() + " is gone"); // Q1
        }
        case Fact.Unknown<Claim>(String why) -> {
          return new HoldVerdict.Unknown(why); // Q4
        }
        case Fact.Present<Claim>(Claim now) -> {
          if (!now.meta().uid().equals(claim.meta().uid())) {
            return new HoldVerdict.LetGo("claim " + claim.key() + " is another one now"); // Q2
          }
          if (!now.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)) {
            return new HoldVerdict.LetGo("claim " + claim.key() + " is not held any more"); // Q3
          }
        }
      }
    }
    return open.isEmpty() ? new HoldVerdict.Held() : new HoldVerdict.Ask(open); // Q5
  }
}
