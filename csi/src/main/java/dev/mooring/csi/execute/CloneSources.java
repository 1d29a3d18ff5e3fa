package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.ContentRules;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;
import java.util.ArrayList;
import java.util.List;

/** Claims that other volumes were filled from. Thread-safe. */
public final class CloneSources {
  private final ClusterWriter writer;

  /** Writes there. */
  public CloneSources(ClusterWriter writer) {
    this.writer = writer;
  }

  /** Nobody copies the claim's volume any more: it may go. */
  public Outcome letGo(Claim claim) throws InterruptedException {
    List<String> left = new ArrayList<>(claim.meta().finalizers());
    left.remove(ContentRules.CLAIM_IN_USE);
    return switch (writer.patch(
        Kind.CLAIM,
        claim.key(),
        Document.patchOf(claim.meta()).set(left, "metadata", "finalizers"))) {
      case WriteResult.Written<Claim> _, WriteResult.Gone<Claim> _ -> Outcome.SETTLED;
      case WriteResult.Conflict<Claim>(String message) -> new Outcome.Conflicted(message);
      case WriteResult.Rejected<Claim>(int _, String message) ->
          new Outcome.Retry(new Failure.Rejected(message));
      case WriteResult.Unreachable<Claim>(String message) ->
          new Outcome.Retry(new Failure.Unreachable(message));
    };
  }
}
