package dev.mooring.csi.execute;

import dev.mooring.cluster.ClusterWriter;
import dev.mooring.cluster.Document;
import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import java.util.function.Function;

/**
 * Writes a claim's status after a driver call. A write conflict does not repeat the call: the patch
 * is computed again from the live claim. Thread-safe.
 */
record ClaimStatusWriter(ClusterWriter writer, LiveReader reader) {
  private static final int MAX_ATTEMPTS = 5;

  WriteResult<Claim> write(Claim claim, Function<Claim, Document> buildPatch)
      throws InterruptedException {
    Claim latestClaim = claim;
    WriteResult<Claim> result = patch(latestClaim, buildPatch);
    for (int i = 1; i < MAX_ATTEMPTS && result instanceof WriteResult.Conflict<Claim>; i++) {
      ReadResult<Claim> answer = reader.read(Kind.CLAIM, claim.key());
      if (answer instanceof ReadResult.Failed<Claim>(String message)) {
        return new WriteResult.Unreachable<>(message);
      }
      if (!(answer instanceof ReadResult.Found<Claim>(Claim liveClaim))
          || !liveClaim.meta().uid().equals(claim.meta().uid())) {
        return result;
      }
      latestClaim = liveClaim;
      result = patch(latestClaim, buildPatch);
    }
    return result;
  }

  private WriteResult<Claim> patch(Claim claim, Function<Claim, Document> buildPatch)
      throws InterruptedException {
    return writer.patchStatus(Kind.CLAIM, claim.key(), buildPatch.apply(claim));
  }
}
