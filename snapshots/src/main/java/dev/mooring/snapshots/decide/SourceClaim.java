package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import java.util.Optional;

/**
 * A claim that a snapshot is to be made of.
 *
 * @param name the claim's
 * @param claim it; empty if it is not known yet
 * @param volume its volume; empty if there is none
 */
public record SourceClaim(String name, Optional<Claim> claim, Optional<Volume> volume) {
  /** Why none can be made of it, for people; "" for no flaw. */
  String flaw(Words words) {
    if (claim.isEmpty()) {
      return "the source claim " + name + " is not there";
    }
    if (claim.get().phase() != ClaimPhase.BOUND) {
      return "the PVC "
          + name
          + " is not yet bound to a PV, will not attempt to take a "
          + words.noun();
    }
    if (volume.isEmpty()) {
      return "the volume " + claim.get().volumeName() + " of claim " + name + " is not there";
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

  /** Whether it goes, for people; "" if it does not. */
  String goes() {
    return claim.orElseThrow().meta().isBeingDeleted()
        ? "the source claim " + name + " is being deleted"
        : "";
  }
}
