package dev.mooring.provisioner.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Observations of claims.
 *
 * @param hadNone whether a claim was seen without a volume at or after its deletion
 * @param known finds a claim in the cache
 */
public record SeenClaims(Predicate<Uid> hadNone, Function<ObjectKey, Optional<Claim>> known) {
  /** Returns true if the claim that the volume names went without a volume, or has another one. */
  public boolean neverHad(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && (hadNone.test(ref.uid()) || hasAnother(ref, volume));
  }

  private boolean hasAnother(ClaimRef ref, Volume volume) {
    return known
        .apply(ref.claim())
        .filter(claim -> claim.meta().uid().equals(ref.uid()))
        .filter(claim -> !claim.volumeName().isEmpty())
        .filter(claim -> !claim.volumeName().equals(volume.meta().name()))
        .isPresent();
  }

  boolean isPresent(ClaimRef ref) {
    return known.apply(ref.claim()).filter(c -> c.meta().uid().equals(ref.uid())).isPresent();
  }
}
