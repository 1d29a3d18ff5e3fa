package dev.mooring.csi.decide;

import dev.mooring.model.Claim.HealthCondition;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;
import java.util.List;

/** Problem of a claim's volume that its driver reports; the worst one first. */
public enum HealthReason implements ReasonCode {
  VOLUME_DATA_LOSS(
      "the driver reports lost data on the volume",
      "stop the pods that write to the claim, and restore a snapshot or a backup to a new claim",
      "DataLoss"),
  VOLUME_INACCESSIBLE(
      "the driver reports that no node can access the volume",
      "repair the storage, or restore a snapshot or a backup to a new claim",
      "Inaccessible"),
  VOLUME_DEGRADED(
      "the driver reports that the volume works with less speed or redundancy",
      "see the driver's message, and check the storage",
      "Degraded");

  private final ReasonText wording;
  private final String status;

  HealthReason(String meaning, String remedy, String status) {
    this.wording = new ReasonText(meaning, remedy);
    this.status = status;
  }

  /** Returns the reason of the worst condition. An unknown status counts as degraded. */
  public static HealthReason ofWorst(List<HealthCondition> conditions) {
    for (HealthReason reason : values()) {
      if (conditions.stream().anyMatch(condition -> condition.status().equals(reason.status))) {
        return reason;
      }
    }
    return VOLUME_DEGRADED;
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
