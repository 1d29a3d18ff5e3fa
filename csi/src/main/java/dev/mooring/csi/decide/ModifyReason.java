package dev.mooring.csi.decide;

import dev.mooring.explain.CauseRank;
import dev.mooring.model.Claim;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/** Reason why a claim's volume does not have the requested VolumeAttributesClass yet. */
public enum ModifyReason implements ReasonCode {
  MODIFY_REFUSED(
      CauseRank.MISCONFIGURED,
      "the driver refuses to change the volume to that VolumeAttributesClass",
      "name a class whose parameters the driver accepts, or the volume's current class"),
  MODIFY_CLASS_MISSING(
      CauseRank.MISCONFIGURED,
      "the requested VolumeAttributesClass does not exist",
      "create the class, or correct the claim's volumeAttributesClassName"),
  MODIFY_CLASS_OF_ANOTHER(
      CauseRank.MISCONFIGURED,
      "the requested VolumeAttributesClass belongs to another driver",
      "name a class of the volume's driver"),
  MODIFY_UNSUPPORTED(
      CauseRank.MISCONFIGURED,
      "only CSI drivers can change a volume's VolumeAttributesClass, and this volume has no CSI driver",
      "remove volumeAttributesClassName from the claim, or move the data to a volume of a CSI driver"),
  MODIFY_FAILED(
      CauseRank.FAILING,
      "the driver failed to change the volume; the change is retried",
      "see the error and the driver's log"),
  MODIFY_NOT_STARTED(
      CauseRank.WAITING,
      "no resizer has started the change; the driver may not support VolumeAttributesClasses",
      "check that the driver's resizer runs, and that the driver has the capability MODIFY_VOLUME"),
  MODIFYING(
      CauseRank.WORKING,
      "the driver is changing the volume to the requested VolumeAttributesClass",
      "if it takes long, check that the driver's resizer runs, and read its log");

  private final CauseRank rank;
  private final ReasonText wording;

  ModifyReason(CauseRank rank, String meaning, String remedy) {
    this.rank = rank;
    this.wording = new ReasonText(meaning, remedy);
  }

  public static ModifyReason of(Claim claim, String driver, String classDriver) {
    if (driver.isEmpty()) {
      return MODIFY_UNSUPPORTED;
    }
    if (classDriver.isEmpty()) {
      return MODIFY_CLASS_MISSING;
    }
    if (!classDriver.equals(driver)) {
      return MODIFY_CLASS_OF_ANOTHER;
    }
    if (claim.status().modification().state().equals(ModifyRules.INFEASIBLE)) {
      return MODIFY_REFUSED;
    }
    if (hasCondition(claim, ModifyRules.ERROR)) {
      return MODIFY_FAILED;
    }
    return claim.status().modification().state().isEmpty()
            && !hasCondition(claim, ModifyRules.MODIFYING)
        ? MODIFY_NOT_STARTED
        : MODIFYING;
  }

  private static boolean hasCondition(Claim claim, String type) {
    return claim.status().conditions().stream().anyMatch(c -> c.type().equals(type));
  }

  public CauseRank rank() {
    return rank;
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
