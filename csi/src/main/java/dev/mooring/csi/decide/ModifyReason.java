package dev.mooring.csi.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.Wording;

/** Why a claim's volume is not yet changed to the VolumeAttributesClass that the claim asks for. */
public enum ModifyReason implements ReasonCode {
  MODIFY_REFUSED(
      "the driver refuses to change the volume to that VolumeAttributesClass",
      "name a class whose parameters the driver takes, or the one that the volume has"),
  MODIFY_CLASS_MISSING(
      "the VolumeAttributesClass that the claim asks for does not exist",
      "create the class, or correct the claim's volumeAttributesClassName"),
  MODIFY_CLASS_OF_ANOTHER(
      "the VolumeAttributesClass that the claim asks for is for volumes of another driver",
      "name a class of the volume's driver"),
  MODIFY_UNSUPPORTED(
      "only CSI drivers change volumes to another VolumeAttributesClass, and this volume has none",
      "take volumeAttributesClassName out of the claim, or move the data to a volume of a driver"),
  MODIFY_FAILED(
      "the driver could not change the volume; it is tried again",
      "see the error and the driver's log"),
  MODIFYING(
      "the driver changes the volume to another VolumeAttributesClass",
      "if it takes long, see whether the driver's resizer runs and what its log says");

  private final Wording wording;

  ModifyReason(String meaning, String remedy) {
    this.wording = new Wording(meaning, remedy);
  }

  /**
   * Of a claim whose volume is to be changed.
   *
   * @param driver the volume's driver, "" for none
   * @param ofClass the driver that the class is for; "" if there is no such class
   */
  public static ModifyReason of(Claim claim, String driver, String ofClass) {
    if (driver.isEmpty()) {
      return MODIFY_UNSUPPORTED;
    }
    if (ofClass.isEmpty()) {
      return MODIFY_CLASS_MISSING;
    }
    if (!ofClass.equals(driver)) {
      return MODIFY_CLASS_OF_ANOTHER;
    }
    if (claim.status().modification().state().equals(ModifyRules.INFEASIBLE)) {
      return MODIFY_REFUSED;
    }
    return claim.status().conditions().stream().anyMatch(c -> c.type().equals(ModifyRules.ERROR))
        ? MODIFY_FAILED
        : MODIFYING;
  }

  @Override
  public Wording wording() {
    return wording;
  }
}
