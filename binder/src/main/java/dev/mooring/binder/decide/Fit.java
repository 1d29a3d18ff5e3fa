package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Quantity;
import dev.mooring.model.Volume;
import dev.mooring.model.VolumePhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a volume suits a claim, and if not, why not, in the words of events. */
final class Fit {
  private Fit() {}

  /** A failed test, with Kubernetes' words for it. */
  record Misfit(Reason why, String note) {}

  /** The first test that a volume fails which the claim asks for by name (spec 2.5). */
  static Optional<Misfit> misfit(Claim claim, Volume volume) {
    if (volume.meta().isBeingDeleted()) {
      return failed(
          Reason.VOLUME_BEING_DELETED,
          "the volume is marked for deletion \"" + volume.meta().name() + "\"");
    }
    if (!volume.storage().covers(claim.request())) {
      return failed(Reason.TOO_SMALL, "requested PV is too small");
    }
    if (!volume.storageClass().equals(claim.className())) {
      return failed(Reason.CLASS_DIFFERS, "storageClassName does not match");
    }
    return misfitOfReserved(claim, volume);
  }

  /**
   * The first test that a volume fails which is reserved for the claim, or was its own (spec 4.2,
   * steps 2 to 5): class, labels and phase do not matter.
   */
  static Optional<Misfit> misfitOfReserved(Claim claim, Volume volume) {
    if (volume.meta().isBeingDeleted()) {
      return failed(
          Reason.VOLUME_BEING_DELETED,
          "the volume is marked for deletion \"" + volume.meta().name() + "\"");
    }
    if (!volume.storage().covers(claim.request())) {
      return failed(Reason.TOO_SMALL, "requested PV is too small");
    }
    if (!volume.attributesClass().equals(claim.attributesClass())) {
      return failed(Reason.ATTRIBUTES_CLASS_DIFFERS, "volumeAttributesClassName does not match");
    }
    if (volume.volumeMode() != claim.volumeMode()) {
      return failed(Reason.VOLUME_MODE_DIFFERS, "incompatible volumeMode");
    }
    return volume.accessModes().offers(claim.accessModes())
        ? Optional.empty()
        : failed(Reason.ACCESS_MODES_DIFFER, "incompatible accessMode");
  }

  /**
   * The first test that a volume fails which was the claim's own. A claim that was given less than
   * it asks for by now, because it is being expanded, is content with what it was given.
   */
  static Optional<Misfit> misfitOfOwn(Claim claim, Volume volume) {
    Quantity given = claim.status().capacity().getOrDefault("storage", claim.request());
    Quantity needed = given.compareTo(claim.request()) < 0 ? given : claim.request();
    if (!volume.storage().covers(needed)) {
      return failed(Reason.TOO_SMALL, "it has " + volume.storage() + ", not " + needed);
    }
    if (volume.volumeMode() != claim.volumeMode()) {
      return failed(
          Reason.VOLUME_MODE_DIFFERS,
          "it is " + volume.volumeMode() + ", not " + claim.volumeMode());
    }
    return volume.accessModes().offers(claim.accessModes())
        ? Optional.empty()
        : failed(
            Reason.ACCESS_MODES_DIFFER,
            "it offers " + volume.accessModes() + ", not " + claim.accessModes());
  }

  private static Optional<Misfit> failed(Reason why, String note) {
    return Optional.of(new Misfit(why, note));
  }

  /** Every test that a volume fails for a claim that would take any. */
  static List<String> misfits(Claim claim, Volume volume) {
    List<String> failed = new ArrayList<>();
    if (volume.claimRef() != null && !volume.claimRef().isFor(claim.key(), claim.meta().uid())) {
      failed.add("belongs to " + volume.claimRef().claim());
    }
    if (volume.meta().isBeingDeleted()) {
      failed.add("is being deleted");
    }
    if (volume.phase() == VolumePhase.RELEASED || volume.phase() == VolumePhase.FAILED) {
      failed.add("is " + volume.phase());
    }
    if (!volume.storage().covers(claim.request())) {
      failed.add("has " + volume.storage() + ", not " + claim.request());
    }
    if (!volume.storageClass().equals(claim.className())) {
      failed.add("has class \"" + volume.storageClass() + "\", not \"" + claim.className() + "\"");
    }
    if (!volume.accessModes().offers(claim.accessModes())) {
      failed.add("offers " + volume.accessModes() + ", not " + claim.accessModes());
    }
    if (volume.volumeMode() != claim.volumeMode()) {
      failed.add("is " + volume.volumeMode() + ", not " + claim.volumeMode());
    }
    if (!volume.attributesClass().equals(claim.attributesClass())) {
      failed.add(
          "has attributes class \""
              + volume.attributesClass()
              + "\", not \""
              + claim.attributesClass()
              + "\"");
    }
    if (claim.selector() != null && !claim.selector().matches(volume.meta().labels())) {
      failed.add("lacks the labels " + claim.selector());
    }
    return failed;
  }
}
