package dev.mooring.binder.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.Volume;
import java.util.ArrayList;
import java.util.List;

/** Whether a volume suits a claim, and if not, why not, in the words of events. */
final class Fit {
  private Fit() {}

  /**
   * The first test that a volume fails which the claim asks for by name; "" if it passes (spec
   * 2.5).
   */
  static String misfit(Claim claim, Volume volume) {
    if (volume.meta().isBeingDeleted()) {
      return "the volume is marked for deletion \"" + volume.meta().name() + "\"";
    }
    if (!volume.storage().covers(claim.request())) {
      return "requested PV is too small";
    }
    if (!volume.storageClass().equals(claim.className())) {
      return "storageClassName does not match";
    }
    if (!volume.attributesClass().equals(claim.attributesClass())) {
      return "volumeAttributesClassName does not match";
    }
    if (volume.volumeMode() != claim.volumeMode()) {
      return "incompatible volumeMode";
    }
    return volume.accessModes().offers(claim.accessModes()) ? "" : "incompatible accessMode";
  }

  /**
   * What must hold of a volume that is reserved for the claim (spec 4.2, steps 2 to 5): its class,
   * labels and phase do not matter.
   */
  static boolean reservedFits(Claim claim, Volume volume) {
    return volume.storage().covers(claim.request())
        && volume.volumeMode() == claim.volumeMode()
        && volume.attributesClass().equals(claim.attributesClass())
        && volume.accessModes().offers(claim.accessModes())
        && !volume.meta().isBeingDeleted();
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
    if (volume.claimRef() == null
        && volume.phase() != dev.mooring.model.VolumePhase.AVAILABLE
        && !volume.meta().isBeingDeleted()) {
      failed.add(
          "is "
              + (volume.phase() == dev.mooring.model.VolumePhase.UNSET
                  ? "new"
                  : volume.phase().toString()));
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
