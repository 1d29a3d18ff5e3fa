package dev.mooring.csi.execute;

import dev.mooring.cluster.ReadResult;
import dev.mooring.csi.decide.CloneSource;
import dev.mooring.csi.decide.FillSourceRules;
import dev.mooring.csi.state.BlockedClaims;
import dev.mooring.csi.state.PendingClones;
import dev.mooring.informer.Informer;
import dev.mooring.model.Claim;
import dev.mooring.model.Kind;
import dev.mooring.reconcile.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Removes finalizers from claims and snapshots when no waiting claim is filled from them. Claims
 * are released only while they are being deleted, as in external-provisioner. Thread-safe.
 */
public record SourceReleaser(
    Informer<Claim> claims,
    PendingClones clones,
    SourceProtection protection,
    DataSourceReader sources) {
  private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

  Outcome releaseIfUnused(CloneSource source) throws InterruptedException {
    if (!protection.gate().tryRelease(source)) {
      return new Outcome.CheckAgain(RECHECK_DELAY);
    }
    try {
      return clones.mayBeUsed(source, Set.of(source.key().namespace()))
          ? Outcome.SETTLED // the end of the last copy requeues the source
          : releaseUnlessGranted(source);
    } finally {
      protection.gate().endRelease(source);
      // claims that tried to protect it meanwhile
      protection.blockedClaims().inputChanged(BlockedClaims.Input.of(source));
    }
  }

  // A claim of another namespace counts only while a ReferenceGrant allows it.
  private Outcome releaseUnlessGranted(CloneSource source) throws InterruptedException {
    if (!sources.acrossNamespaces() || !clones.mayBeCopiedElsewhere(source)) {
      return release(source);
    }
    return switch (sources.readGrantedNamespaces(source)) {
      case ReadResult.Found<Set<String>>(Set<String> namespaces) ->
          clones.mayBeUsed(source, namespaces) ? Outcome.SETTLED : release(source);
      case ReadResult.Absent<Set<String>> _ -> release(source);
      case ReadResult.Failed<Set<String>>(String message) ->
          new Outcome.Unanswered("which namespaces may use " + source + ": " + message);
    };
  }

  private Outcome release(CloneSource source) throws InterruptedException {
    return switch (source.type()) {
      case CLAIM -> {
        Optional<Claim> claim = claims.get(source.key()).filter(FillSourceRules::isReleasable);
        yield claim.isEmpty()
            ? Outcome.SETTLED
            : protection
                .finalizers()
                .release(Kind.CLAIM, claim.get(), FillSourceRules.CLAIM_IN_USE);
      }
      case SNAPSHOT -> protection.snapshots().release(source.key());
    };
  }
}
