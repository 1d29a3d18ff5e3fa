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
 * @param hadNoVolume whether a claim was seen without a volume at or after its deletion
 * @param cachedClaim finds a claim in the cache
 */
public record ObservedClaims(
    Predicate<Uid> hadNoVolume, Function<ObjectKey, Optional<Claim>> cachedClaim) {
  /**
   * Returns true if the claim that the volume names was deleted without a volume, or has another.
   */
  public boolean neverHadVolume(Volume volume) {
    ClaimRef ref = volume.claimRef();
    return ref != null && (hadNoVolume.test(ref.uid()) || hasOtherVolume(ref, volume));
  }

  private boolean hasOtherVolume(ClaimRef ref, Volume volume) {
    return cachedClaim
        .apply(ref.claim())
        .filter(claim -> claim.meta().uid().equals(ref.uid()))
        .filter(claim -> !claim.volumeName().isEmpty())
        .filter(claim -> !claim.volumeName().equals(volume.meta().name()))
        .isPresent();
  }

  boolean isCached(ClaimRef ref) {
    return cachedClaim.apply(ref.claim()).filter(c -> c.meta().uid().equals(ref.uid())).isPresent();
  }
}
