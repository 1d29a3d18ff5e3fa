package dev.mooring.snapshots.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ReclaimPolicy;
import dev.mooring.model.SnapshotClass;
import dev.mooring.model.SnapshotParameters;
import dev.mooring.model.SnapshotParameters.Purpose;
import dev.mooring.model.SnapshotParameters.Secret;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeSnapshot;
import dev.mooring.model.migration.DriverVolumes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Of what a snapshot is made.
 *
 * @param found the claim's volume; null where there is a flaw
 * @param flaw why no snapshot can be made of it, for people; "" for no flaw
 */
record SnapshotSource(@Nullable Volume found, String flaw) {
  static SnapshotSource of(SnapshotView view) {
    String name = view.snapshot().sourceClaim();
    if (view.claim().isEmpty()) {
      return flawed("the source claim " + name + " is not there");
    }
    Claim claim = view.claim().get();
    if (claim.phase() != ClaimPhase.BOUND) {
      return flawed(
          "the PVC " + name + " is not yet bound to a PV, will not attempt to take a snapshot");
    }
    Optional<Volume> volume = view.volume();
    if (volume.isEmpty()) {
      return flawed("the volume " + claim.volumeName() + " of claim " + name + " is not there");
    }
    ClaimRef ref = volume.get().claimRef();
    return ref != null && ref.isFor(claim.key(), claim.meta().uid())
        ? new SnapshotSource(volume.get(), "")
        : flawed("claim in dataSource not bound or invalid");
  }

  private static SnapshotSource flawed(String flaw) {
    return new SnapshotSource(null, flaw);
  }

  Volume volume() {
    if (found == null) {
      throw new IllegalStateException(flaw);
    }
    return found;
  }

  static Optional<String> handle(Volume volume, String driver) {
    return DriverVolumes.handle(volume, driver);
  }

  /** A claim that is being deleted keeps its volume only as long as something holds it. */
  boolean mayStillBeRead(SnapshotView view) {
    return view.claim()
        .filter(claim ->
            !claim.meta().isBeingDeleted()
                || claim.meta().finalizers().contains(VolumeSnapshot.CLAIM_PROTECTION))
        .isPresent();
  }

  /** The content, or why there can be none. */
  SnapshotStep content(SnapshotView view, SnapshotClass snapshotClass) {
    Optional<String> handle = handle(volume(), snapshotClass.driver());
    if (handle.isEmpty()) {
      return SnapshotDecider.failed(
          "volume "
              + volume().meta().name()
              + " is none of CSI driver "
              + snapshotClass.driver()
              + ", which class "
              + snapshotClass.meta().name()
              + " is for");
    }
    if (snapshotClass.policy() == ReclaimPolicy.UNKNOWN) {
      return SnapshotDecider.failed(
          "class " + snapshotClass.meta().name() + " has no deletionPolicy that is known");
    }
    VolumeSnapshot snapshot = view.snapshot();
    String name = snapshot.nameOfOwnContent();
    Secret secret =
        SnapshotParameters.secret(
            snapshotClass.parameters(), Purpose.SNAPSHOTTER, name, Optional.of(snapshot.key()));
    return secret.flaw().isEmpty()
        ? new SnapshotStep.CreateContent(name, snapshotClass, volume(), handle.get(), secret)
        : SnapshotDecider.failed(secret.flaw());
  }
}
