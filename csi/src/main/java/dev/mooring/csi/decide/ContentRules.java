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

/**
 * Whether a new volume can be filled from a snapshot or from another claim (spec/csi-bridge.md
 * 5.3).
 */
public final class ContentRules {
  /** On a snapshot: a volume is being filled from it. */
  public static final String SNAPSHOT_IN_USE = VolumeSnapshot.RESTORE_PROTECTION;

  /** On a claim: another volume is being filled from its volume. */
  public static final String CLAIM_IN_USE = "provisioner.storage.kubernetes.io/cloning-protection";

  /**
   * A snapshot and its content, as far as it matters.
   *
   * @param key the snapshot
   * @param uid its uid
   * @param goes whether it is being deleted and nothing of ours holds it
   * @param ready whether it says that it is ready
   * @param restoreSize how large a volume has to be at least; empty if it does not say
   * @param content what it is bound to; empty for nothing
   */
  public record Snapshot(
      ObjectKey key,
      Uid uid,
      boolean goes,
      boolean ready,
      Optional<Quantity> restoreSize,
      Optional<Content> content) {}

  /**
   * A snapshot's content.
   *
   * @param driver whose it is
   * @param handle its id at the driver, "" if there is none yet
   * @param of the snapshot that it belongs to
   * @param uid that snapshot's uid
   * @param mode the mode of the volume that it was taken of; empty if it does not say
   * @param modeMayChange whether volumes of the other mode may be made of it
   */
  public record Content(
      String driver,
      String handle,
      ObjectKey of,
      Uid uid,
      Optional<VolumeMode> mode,
      boolean modeMayChange) {}

  private ContentRules() {}

  /**
   * The snapshot's id at the driver.
   *
   * @param keepMode whether the volume may be of another mode only if the content allows that
   */
  public static Checked<String> ofSnapshot(
      Claim claim, Snapshot snapshot, String driver, boolean keepMode) {
    return ready(snapshot, driver).then(content -> fits(claim, snapshot, content, keepMode));
  }

  /** The snapshot's content, if the driver can fill a volume from it. */
  private static Checked<Content> ready(Snapshot snapshot, String driver) {
    String name = "snapshot " + snapshot.key();
    if (snapshot.goes()) {
      return new Checked.Invalid<>(name + " is being deleted");
    }
    if (snapshot.content().isEmpty()) {
      return new Checked.Invalid<>(name + " is not bound to any content");
    }
    Content content = snapshot.content().get();
    if (!content.of().equals(snapshot.key()) || !content.uid().equals(snapshot.uid())) {
      return new Checked.Invalid<>(name + " is bound to the content of another snapshot");
    }
    if (!content.driver().equals(driver)) {
      return new Checked.Invalid<>(
          name + " is one of driver " + content.driver() + ", not of " + driver);
    }
    if (!snapshot.ready() || content.handle().isEmpty()) {
      return new Checked.Invalid<>(name + " is not ready");
    }
    return new Checked.Valid<>(content);
  }

  private static Checked<String> fits(
      Claim claim, Snapshot snapshot, Content content, boolean keepMode) {
    String name = "snapshot " + snapshot.key();
    if (snapshot.restoreSize().isPresent()
        && claim.request().compareTo(snapshot.restoreSize().get()) < 0) {
      return new Checked.Invalid<>(
          "requested volume size "
              + claim.request()
              + " is less than the size "
              + snapshot.restoreSize().get()
              + " of "
              + name);
    }
    if (keepMode
        && content.mode().isPresent()
        && content.mode().get() != claim.volumeMode()
        && !content.modeMayChange()) {
      return new Checked.Invalid<>(
          "requested volume mode "
              + claim.volumeMode()
              + " is not that of "
              + name
              + ", whose content does not allow a change");
    }
    return new Checked.Valid<>(content.handle());
  }

  /** The source's id at the driver. */
  public static Checked<String> ofClaim(Claim claim, Claim source, Volume volume, String driver) {
    String name = "the source claim " + source.key();
    // one that is held may be being copied: the same has to be asked for again
    if (source.meta().isBeingDeleted() && !source.meta().finalizers().contains(CLAIM_IN_USE)) {
      return new Checked.Invalid<>(name + " is being deleted");
    }
    if (source.phase() != ClaimPhase.BOUND) {
      return new Checked.Invalid<>(name + " is not bound: " + source.phase());
    }
    if (source.storageClass() == null || claim.storageClass() == null) {
      return new Checked.Invalid<>(name + " and its clone need a class each");
    }
    if (claim.request().compareTo(source.request()) < 0) {
      return new Checked.Invalid<>(
          "requested volume size "
              + claim.request()
              + " is less than the size "
              + source.request()
              + " of "
              + name);
    }
    if (claim.volumeMode() != source.volumeMode()) {
      return new Checked.Invalid<>(
          "requested volume mode " + claim.volumeMode() + " is not that of " + name);
    }
    ClaimRef ref = volume.claimRef();
    boolean fits =
        volume.source().type().equals("csi")
            && volume.source().attribute("driver").equals(driver)
            && ref != null
            && ref.isFor(source.key(), source.meta().uid())
            && volume.phase() == VolumePhase.BOUND;
    return fits
        ? new Checked.Valid<>(volume.source().attribute("volumeHandle"))
        : new Checked.Invalid<>("claim in dataSource not bound or invalid");
  }
}
