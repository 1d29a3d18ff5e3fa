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
  private static final int TRIES = 5;

  WriteResult<Claim> write(Claim claim, Function<Claim, Document> report)
      throws InterruptedException {
    Claim known = claim;
    WriteResult<Claim> result = patch(known, report);
    for (int i = 1; i < TRIES && result instanceof WriteResult.Conflict<Claim>; i++) {
      ReadResult<Claim> read = reader.read(Kind.CLAIM, claim.key());
      if (read instanceof ReadResult.Failed<Claim>(String message)) {
        return new WriteResult.Unreachable<>(message);
      }
      if (!(read instanceof ReadResult.Found<Claim>(Claim now))
          || !now.meta().uid().equals(claim.meta().uid())) {
        return result;
      }
      known = now;
      result = patch(known, report);
    }
    return result;
  }

  private WriteResult<Claim> patch(Claim claim, Function<Claim, Document> report)
      throws InterruptedException {
    return writer.patchStatus(Kind.CLAIM, claim.key(), report.apply(claim));
  }
}
