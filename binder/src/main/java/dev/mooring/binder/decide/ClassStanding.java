package dev.mooring.binder.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.Wording;

/** How a storage class stands: whether somebody makes volumes of it, and has room for them. */
public enum ClassStanding implements ReasonCode {
  CLASS_SERVED("who makes volumes of the class is there", ""),
  MADE_BY_HAND("volumes of the class are made by hand, and by nobody else", ""),
  PROVISIONER_STOPPED(
      "the provisioner of the class was there, but nobody holds its lease any more",
      "see why no replica of the provisioner runs, or why none becomes its leader"),
  PROVISIONER_NOT_SEEN(
      "nothing in the cluster shows that the provisioner of the class is there: no CSIDriver, no"
          + " node, no lease",
      "see whether it runs; if it does not, install it, or correct the class"),
  DRIVER_ON_NO_NODE(
      "the driver of the class is installed, but runs on no node",
      "see why the driver's pods do not run on the nodes (its DaemonSet)"),
  CAPACITY_NOT_TOLD(
      "the driver of the class promises to tell how much room it has, and tells of none: the"
          + " scheduler finds no node",
      "see whether its provisioner runs with --enable-capacity and what its log says"),
  CLASS_WITHOUT_ROOM(
      "the driver of the class tells that there is no room left anywhere",
      "make room in the storage, or use another class");

  private final Wording wording;

  ClassStanding(String meaning, String remedy) {
    this.wording = new Wording(meaning, remedy);
  }

  @Override
  public Wording wording() {
    return wording;
  }
}
