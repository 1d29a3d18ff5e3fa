package dev.mooring.csi.execute;

import dev.mooring.csi.decide.ModifyRules;
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
import dev.mooring.storage.NodeStorage.Location;
import java.util.Optional;

/**
 * Resizer of one driver, equivalent to external-resizer. Growth and modification of one claim never
 * overlap.
 *
 * @param node this instance's node; empty if it serves the volumes of all nodes
 */
public record ResizeReconciler(
    SharedInformers informers,
    VolumeUsers volumeUsers,
    VolumeResizer resizer,
    VolumeModifier modifier,
    Optional<LocalNodeStorage> node) {
  public Outcome sync(ObjectKey key) throws InterruptedException {
    Optional<Claim> boundClaim =
        informers.of(Kind.CLAIM).get(key).filter(claim -> claim.phase() == ClaimPhase.BOUND);
    if (boundClaim.isEmpty()) {
      return Outcome.SETTLED;
    }
    Claim claim = boundClaim.get();
    Optional<Volume> volume =
        informers
            .of(Kind.VOLUME)
            .get(ObjectKey.cluster(claim.volumeName()))
            .filter(v -> isServed(claim, v));
    if (volume.isEmpty()) {
      return Outcome.SETTLED;
    }
    Location location = node.isPresent() ? node.get().locate(claim, volume.get()) : Location.HERE;
    return switch (location) {
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
  private boolean isServed(Claim claim, Volume volume) {
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
    Outcome resizeOutcome = resizer.sync(claim, volume, volumeUsers.isInUse(key));
    if (mayBeGrowing(claim, resizeOutcome) || !ModifyRules.canHaveClass(volume)) {
      return resizeOutcome;
    }
    // the growth may have written both objects
    Outcome modifyOutcome =
        modifier.sync(
            informers.of(Kind.CLAIM).get(key).orElse(claim),
            informers.of(Kind.VOLUME).get(volume.key()).orElse(volume));
    return modifyOutcome instanceof Outcome.Settled || resizeOutcome instanceof Outcome.Retry
        ? resizeOutcome
        : modifyOutcome;
  }

  // The driver does not grow a volume while a claim waits, after a final answer, or if it was not
  // called.
  private boolean mayBeGrowing(Claim claim, Outcome resizeOutcome) {
    return switch (resizeOutcome) {
      case Outcome.Settled _, Outcome.CheckAgain _ -> false;
      case Outcome.Retry _, Outcome.GiveUp _ -> resizer.memory().mayBeCalling(claim);
      case Outcome.Deferred _, Outcome.Conflicted _, Outcome.Unanswered _ -> true;
    };
  }
}
