package dev.mooring.snapshots.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.VolumeSnapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides whether the source claims of a new content have our finalizer. A cache may show a claim
 * that was released and is gone together with its volume; the driver could not create the snapshot.
 * Ids in comments are rows of {@code docs/dev/live-verdicts.md}.
 */
public final class HoldCheck {
  public sealed interface HoldVerdict {
    // All claims have the finalizer. Before it is removed from a deleted claim, snapshots are
    // listed live.
    record Held() implements HoldVerdict {}

    // A claim lacks the finalizer; the cache is stale.
    record NotHeld(String reason) implements HoldVerdict {}

    // The API server did not answer.
    record Unknown(String reason) implements HoldVerdict {}
  }

  private HoldCheck() {}

  public static Step<HoldVerdict> decide(List<Claim> cached, LiveFacts live) {
    List<Question<?>> unanswered = new ArrayList<>();
    for (Claim claim : cached) {
      Question.ObjectRead<Claim> question = new Question.ObjectRead<>(Kind.CLAIM, claim.key());
      switch (live.of(question)) {
        case Fact.NotAsked<Claim> _ -> unanswered.add(question);
        case Fact.Absent<Claim> _ -> {
          return Step.decided(new HoldVerdict.NotHeld("claim " + claim.key() + " is gone")); // Q1
        }
        case Fact.Unknown<Claim>(String reason) -> {
          return Step.decided(new HoldVerdict.Unknown(reason)); // Q4
        }
        case Fact.Present<Claim>(Claim liveClaim) -> {
          if (!liveClaim.meta().uid().equals(claim.meta().uid())) {
            return Step.decided(
                new HoldVerdict.NotHeld(
                    "claim " + claim.key() + " was replaced by a claim of the same name")); // Q2
          }
          if (!liveClaim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION)) {
            return Step.decided(
                new HoldVerdict.NotHeld(
                    "claim " + claim.key() + " no longer has the finalizer")); // Q3
          }
        }
      }
    }
    return unanswered.isEmpty()
        ? Step.decided(new HoldVerdict.Held()) // Q5
        : new Step.Ask<>(unanswered);
  }
}
