package dev.mooring.binder.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/** State of a storage class: whether a provisioner serves it and has capacity. */
public enum ClassState implements ReasonCode {
  CLASS_SERVED("the provisioner of the class runs", ""),
  MADE_BY_HAND("an administrator creates the volumes of the class; none are provisioned", ""),
  PROVISIONER_STOPPED(
      "the provisioner of the class no longer holds its lease",
      "see why no replica of the provisioner runs, or why none becomes leader"),
  PROVISIONER_NOT_SEEN(
      "nothing in the cluster shows that the provisioner of the class runs: no CSIDriver, no"
          + " node, no lease",
      "see whether it runs; if not, install it or correct the class"),
  DRIVER_ON_NO_NODE(
      "the driver of the class is installed, but runs on no node",
      "see why the driver's pods do not run on the nodes (its DaemonSet)"),
  CAPACITY_NOT_TOLD(
      "the driver of the class publishes storage capacity, but no CSIStorageCapacity object exists: the"
          + " scheduler finds no node",
      "see whether its provisioner runs with --enable-capacity, and what it logs"),
  CLASS_WITHOUT_ROOM(
      "the driver of the class reports no free capacity anywhere",
      "free space in the storage, or use another class");

  private final ReasonText wording;

  ClassState(String meaning, String remedy) {
    this.wording = new ReasonText(meaning, remedy);
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
