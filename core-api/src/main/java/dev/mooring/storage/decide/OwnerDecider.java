package dev.mooring.storage.decide;

import dev.mooring.live.Fact;
import dev.mooring.live.LiveFacts;
import dev.mooring.live.Question;
import dev.mooring.live.Step;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Kind;
import dev.mooring.model.Volume;

/**
 * Decides from live answers whether a volume still belongs to a claim. All controllers that delete
 * volumes use this table, so that none deletes a volume that another keeps. Ids in comments are the
 * rows of {@code docs/dev/live-verdicts.md}.
 */
public final class OwnerDecider {
  private OwnerDecider() {}

  public static Step<OwnerVerdict> decide(Volume volume, LiveFacts live) {
    ClaimRef ref = volume.claimRef();
    if (ref == null || ref.isEmpty()) {
      return Step.decided(new OwnerVerdict.Freed("it no longer has a claim")); // D8
    }
    if (ref.uid().isNone()) {
      return Step.decided(new OwnerVerdict.Freed("it is reserved for claim " + ref.claim())); // D9
    }
    Question.ObjectRead<Claim> question = new Question.ObjectRead<>(Kind.CLAIM, ref.claim());
    return switch (live.of(question)) {
      case Fact.NotAsked<Claim> _ -> Step.ask(question);
      case Fact.Absent<Claim> _ -> Step.decided(new OwnerVerdict.Ownerless()); // D11
      case Fact.Unknown<Claim>(String message) ->
          Step.decided(new OwnerVerdict.Unknown(question, message)); // D12
      case Fact.Present<Claim>(Claim claim) -> Step.decided(compareClaim(volume, ref, claim));
    };
  }

  private static OwnerVerdict compareClaim(Volume volume, ClaimRef ref, Claim claim) {
    if (!claim.meta().uid().equals(ref.uid())) {
      return new OwnerVerdict.Ownerless(); // D13: a later claim of that name
    }
    boolean hasOtherVolume =
        !claim.volumeName().isEmpty() && !claim.volumeName().equals(volume.meta().name());
    return hasOtherVolume && VolumeOrigin.isDisposable(volume)
        ? new OwnerVerdict.Ownerless() // D14: created for the claim, which has another volume
        : new OwnerVerdict.Claimed("claim " + ref.claim() + " still exists"); // D15
  }
}
