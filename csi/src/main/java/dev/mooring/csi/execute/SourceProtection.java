package dev.mooring.csi.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.SourceGate;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;

/**
 * Keeps sources of new volumes until they are copied. Thread-safe.
 *
 * @param gate prevents that a source is released meanwhile
 * @param blockedClaims claims that wait for the end of a release
 */
public record SourceProtection(
    SourceGate gate,
    BlockedClaims blockedClaims,
    DriverFinalizers finalizers,
    SnapshotProtection snapshots) {
  @FunctionalInterface
  interface SourceLookup<T> {
    T lookUp() throws RequestNotSent, InterruptedException;
  }

  // Looks up the source, and protects it, while it cannot be released.
  <T> T lookUpProtected(CloneSource source, Claim claim, SourceLookup<T> lookup)
      throws RequestNotSent, InterruptedException {
    blockedClaims.addDependency(claim, BlockedClaims.Input.of(source));
    if (!gate.tryEnter(source)) {
      throw RequestNotSent.conflicted(
          source + " is losing its finalizer, because another claim no longer needs it; retrying");
    }
    try {
      return lookup.lookUp();
    } finally {
      gate.leave(source);
    }
  }

  void protect(Claim source) throws RequestNotSent, InterruptedException {
    if (!source.meta().finalizers().contains(FillSourceRules.CLAIM_IN_USE)) {
      WriteResult<Claim> result = finalizers.add(Kind.CLAIM, source, FillSourceRules.CLAIM_IN_USE);
      RequestNotSent.requireWritten(
          "the source claim " + source.key() + " could not be protected", result);
    }
  }
}
