package dev.mooring.csi.execute;

import dev.mooring.csi.state.VolumeUsers;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Volume;
import dev.mooring.model.migration.DriverVolumes;
import dev.mooring.reconcile.Outcome;
import dev.mooring.storage.NodeStorage.Where;
import java.util.Optional;

/**
 * Resizer of one driver, equivalent to external-resizer. Growth and modification of one claim never
 * overlap.
 *
 * @param node this instance's node; empty if it serves the volumes of all nodes
 */
public record ResizeReconciler(
    SharedInformers informers,
    VolumeUsers use,
    VolumeResizer resizer,
    VolumeModifier modifier,
    Optional<LocalNodeStorage> node) {
  public Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Claim> bound =
        informers.of(Kind.CLAIM).get(key).filter(claim -> claim.phase() == ClaimPhase.BOUND);
    if (bound.isEmpty()) {
      return Outcome.SETTLED;
    }
    Claim claim = bound.get();
    Optional<Volume> volume =
        informers
            .of(Kind.VOLUME)
            .get(ObjectKey.cluster(claim.volumeName()))
            .filter(v -> isOurs(claim, v));
    if (volume.isEmpty()) {
      return Outcome.SETTLED;
    }
    Where where = node.isPresent() ? node.get().where(claim, volume.get()) : Where.HERE;
    return switch (where) {
      case HERE -> sync(claim, volume.get());
      case ELSEWHERE, UNKNOWN -> Outcome.SETTLED;
      case UNANSWERED ->
          new Outcome.Unanswered(
              "whether the volume of claim "
                  + key
                  + " belongs to this node: the API server did not answer");
    };
  }

  // For a migrated in-tree volume the claim's annotation names the resizer.
  private boolean isOurs(Claim claim, Volume volume) {
    String driver = resizer.session().driver();
    boolean isResizer =
        !DriverVolumes.isInTree(volume, driver)
            || claim.meta().annotation(CsiMigration.RESIZER).equals(driver);
    ClaimRef ref = volume.claimRef();
    return isResizer
        && DriverVolumes.handle(volume, driver).isPresent()
        && ref != null
        && ref.isFor(claim.key(), claim.meta().uid());
  }

  private Outcome sync(Claim claim, Volume volume) throws InterruptedException {
    ObjectKey key = claim.key();
    Outcome resized = resizer.sync(claim, volume, use.isInUse(key));
    // a claim that waits for a retry of the growth is not growing
    if (!(resized instanceof Outcome.Settled || resized instanceof Outcome.CheckAgain)) {
      return resized;
    }
    // the growth may have written both objects
    Outcome modified =
        modifier.sync(
            informers.of(Kind.CLAIM).get(key).orElse(claim),
            informers.of(Kind.VOLUME).get(volume.key()).orElse(volume));
    return modified instanceof Outcome.Settled ? resized : modified;
  }
}
