package dev.mooring.csi.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.live.RawObject;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.Optional;

/**
 * Reads the inputs of requests live, and records first that the claim depends on them. Thread-safe.
 */
public record InputReader(LiveReader reader, BlockedClaims blockedClaims) {
  <T extends Resource> Optional<T> read(Claim claim, Kind<T> kind, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    blockedClaims.addDependency(claim, new BlockedClaims.Input(kind, key));
    return RequestNotSent.requireAnswer(reader.read(kind, key));
  }

  Optional<RawObject> readWhole(Claim claim, Kind<?> kind, ObjectKey key)
      throws RequestNotSent, InterruptedException {
    blockedClaims.addDependency(claim, new BlockedClaims.Input(kind, key));
    return RequestNotSent.requireAnswer(reader.readWhole(kind, key)).map(RawObject::new);
  }
}
