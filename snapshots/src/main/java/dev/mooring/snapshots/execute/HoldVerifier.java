package dev.mooring.snapshots.execute;

import dev.mooring.cluster.LiveDecisions;
import dev.mooring.cluster.LiveReader;
import dev.mooring.live.LiveFacts;
import dev.mooring.model.Claim;
import dev.mooring.model.ObjectKey;
import dev.mooring.reconcile.Outcome;
import dev.mooring.snapshots.decide.HoldCheck;
import dev.mooring.snapshots.decide.HoldCheck.HoldVerdict;
import dev.mooring.snapshots.state.ClaimReleases;
import java.util.List;
import java.util.Optional;

/**
 * Verifies live that source claims have our finalizer before a content is created. Thread-safe;
 * blocks.
 */
public record HoldVerifier(LiveReader reader, ClaimReleases releases) {
  @FunctionalInterface
  public interface ContentWrite {
    Outcome write() throws InterruptedException;
  }

  /**
   * Runs the write if the claims have the finalizer.
   *
   * @param object the snapshot or group
   * @param claims the claims as cached
   */
  public Outcome runIfHeld(ObjectKey object, List<Claim> claims, ContentWrite contentWrite)
      throws InterruptedException {
    Optional<ObjectKey> releasedClaim = releases.findRunning(claims);
    if (releasedClaim.isPresent()) {
      return new Outcome.Conflicted(
          object
              + " cannot be created yet: the finalizer of claim "
              + releasedClaim.get()
              + " is being removed");
    }
    return switch (LiveDecisions.decide(
        reader, LiveFacts.NONE, live -> HoldCheck.decide(claims, live))) {
      case HoldVerdict.Held() -> contentWrite.write();
      case HoldVerdict.NotHeld(String reason) ->
          new Outcome.Conflicted(object + " cannot be created yet: " + reason); // stale cache
      case HoldVerdict.Unknown(String reason) ->
          new Outcome.Unanswered(
              "reading the finalizers of the claims of " + object + ": " + reason);
    };
  }
}
