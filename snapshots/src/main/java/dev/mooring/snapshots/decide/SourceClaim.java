package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.Optional;

/**
 * Source claim of a snapshot.
 *
 * @param claim empty if the cache does not have it
 * @param volume its volume; empty if it does not exist
 */
public record SourceClaim(String name, Optional<Claim> claim, Optional<Volume> volume) {
  // Returns the reason why the claim does not allow a snapshot; "" if it does.
  String findFlaw(SnapshotTerms terms) {
    if (claim.isEmpty()) {
      return "the source claim " + name + " does not exist";
    }
    if (claim.get().phase() != ClaimPhase.BOUND) {
      return "the PVC %s is not yet bound to a PV, will not attempt to take a %s"
          .formatted(name, terms.noun());
    }
    if (volume.isEmpty()) {
      return "the volume " + claim.get().volumeName() + " of claim " + name + " does not exist";
    }
    ClaimRef ref = volume.get().claimRef();
    return ref != null && ref.isFor(claim.get().key(), claim.get().meta().uid())
        ? ""
        : "claim in dataSource not bound or invalid";
  }

  boolean isHeld() {
    return claim
        .filter(c -> c.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
        .isPresent();
  }

  // Returns the reason why a deleted claim is refused; "" if it is not being deleted.
  String findDeletionFlaw() {
    return claim.orElseThrow().meta().isBeingDeleted()
        ? "the source claim " + name + " is being deleted"
        : "";
  }
}
