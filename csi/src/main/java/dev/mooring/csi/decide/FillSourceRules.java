package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import dev.mooring.model.ClaimRef;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Quantity;
import dev.mooring.model.Uid;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumeMode;
import dev.mooring.model.VolumePhase;
import dev.mooring.model.VolumeSnapshot;
import java.util.Optional;

/** Decides whether a new volume can be filled from a snapshot or from another claim. */
public final class FillSourceRules {
  public static final String SNAPSHOT_IN_USE = VolumeSnapshot.RESTORE_PROTECTION;

  public static final String CLAIM_IN_USE = "provisioner.storage.kubernetes.io/cloning-protection";

  public record Snapshot(
      ObjectKey key,
      Uid uid,
      boolean isDeleted,
      boolean isReady,
      Optional<Quantity> restoreSize,
      Optional<Content> content) {}

  public record Content(
      String driver,
      String handle,
      ObjectKey snapshot,
      Uid snapshotUid,
      Optional<VolumeMode> mode,
      boolean mayChangeMode) {}

  private FillSourceRules() {}

  // Reports whether a deleted claim waits for the end of its copies.
  public static boolean isReleasable(Claim claim) {
    return claim.meta().isBeingDeleted() && claim.meta().finalizers().contains(CLAIM_IN_USE);
  }

  public static CheckResult<String> checkSnapshot(
      Claim claim, Snapshot snapshot, String driver, boolean keepMode) {
    return requireReady(snapshot, driver)
        .then(content -> checkRequest(claim, snapshot, content, keepMode));
  }

  private static CheckResult<Content> requireReady(Snapshot snapshot, String driver) {
    String name = "snapshot " + snapshot.key();
    if (snapshot.isDeleted()) {
      return new CheckResult.Invalid<>(name + " is being deleted");
    }
    if (snapshot.content().isEmpty()) {
      return new CheckResult.Invalid<>(name + " is not bound to any content");
    }
    Content content = snapshot.content().get();
    if (!content.snapshot().equals(snapshot.key())
        || !content.snapshotUid().equals(snapshot.uid())) {
      return new CheckResult.Invalid<>(name + " is bound to the content of another snapshot");
    }
    if (!content.driver().equals(driver)) {
      return new CheckResult.Invalid<>(
          name + " is one of driver " + content.driver() + ", not of " + driver);
    }
    if (!snapshot.isReady() || content.handle().isEmpty()) {
      return new CheckResult.Invalid<>(name + " is not ready");
    }
    return new CheckResult.Valid<>(content);
  }

  private static CheckResult<String> checkRequest(
      Claim claim, Snapshot snapshot, Content content, boolean keepMode) {
    String name = "snapshot " + snapshot.key();
    if (snapshot.restoreSize().isPresent()
        && claim.request().compareTo(snapshot.restoreSize().get()) < 0) {
      return new CheckResult.Invalid<>(
          "requested volume size %s is less than the size %s of %s"
              .formatted(claim.request(), snapshot.restoreSize().get(), name));
    }
    if (keepMode
        && content.mode().isPresent()
        && content.mode().get() != claim.volumeMode()
        && !content.mayChangeMode()) {
      return new CheckResult.Invalid<>(
          "requested volume mode %s is not that of %s, whose content does not allow a change"
              .formatted(claim.volumeMode(), name));
    }
    return new CheckResult.Valid<>(content.handle());
  }

  public static CheckResult<String> checkClaim(
      Claim claim, Claim source, Volume volume, String driver) {
    String name = "the source claim " + source.key();
    // a source with our finalizer may be being copied: the retried request must be the same
    if (source.meta().isBeingDeleted() && !source.meta().finalizers().contains(CLAIM_IN_USE)) {
      return new CheckResult.Invalid<>(name + " is being deleted");
    }
    if (source.phase() != ClaimPhase.BOUND) {
      return new CheckResult.Invalid<>(name + " is not bound: " + source.phase());
    }
    if (source.storageClass() == null || claim.storageClass() == null) {
      return new CheckResult.Invalid<>(name + " and its clone must each have a storage class");
    }
    if (claim.request().compareTo(source.request()) < 0) {
      return new CheckResult.Invalid<>(
          "requested volume size %s is less than the size %s of %s"
              .formatted(claim.request(), source.request(), name));
    }
    if (claim.volumeMode() != source.volumeMode()) {
      return new CheckResult.Invalid<>(
          "requested volume mode " + claim.volumeMode() + " is not that of " + name);
    }
    ClaimRef ref = volume.claimRef();
    boolean isUsable =
        volume.source().type().equals("csi")
            && volume.source().attribute("driver").equals(driver)
            && ref != null
            && ref.isFor(source.key(), source.meta().uid())
            && volume.phase() == VolumePhase.BOUND;
    return isUsable
        ? new CheckResult.Valid<>(volume.source().attribute("volumeHandle"))
        : new CheckResult.Invalid<>("claim in dataSource not bound or invalid");
  }
}
