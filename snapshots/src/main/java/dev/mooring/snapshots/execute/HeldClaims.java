package dev.mooring.snapshots.execute;

import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.HoldCheck;
import dev.mooring.snapshots.decide.HoldCheck.HoldVerdict;
import java.util.List;

/** Has contents written for claims that the server says are held. Thread-safe; blocks. */
public record HeldClaims(LiveReader reader) {
  /** Writes the content. */
  @FunctionalInterface
  public interface ContentWrite {
    /** Does so; blocks. */
    Outcome write() throws InterruptedException;
  }

  /**
   * Has it written if the claims are held.
   *
   * @param of the snapshot or the group
   * @param claims as the cache has them
   */
  public Outcome then(ObjectKey of, List<Claim> claims, ContentWrite content)
      throws InterruptedException {
    return switch (LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> HoldCheck.decide(claims, live))) {
      case HoldVerdict.Held() -> content.write();
      case HoldVerdict.LetGo(String why) ->
          new Outcome.Conflicted(of + " is not made yet: " + why); // the cache is behind
      case HoldVerdict.Unknown(String why) ->
          new Outcome.Unanswered("whether the claims of " + of + " are held: " + why);
      case HoldVerdict.Ask ask -> throw new IllegalStateException("not asked: " + ask);
    };
  }
}
