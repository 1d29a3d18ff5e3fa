package dev.mooring.snapshots.decide;

import dev.mooring.explain.CauseRank;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/** Reason for the state of a snapshot, a group of snapshots, or its content or class. */
public enum SnapshotReason implements ReasonCode {
  SNAPSHOT_READY(CauseRank.FINE, "volumes can be restored from it", ""),
  SNAPSHOT_REFUSED(
      CauseRank.MISCONFIGURED,
      "the snapshot controller does not process it as it is",
      "correct what the message names; the snapshot controller then continues"),
  SNAPSHOT_FAILING(
      CauseRank.FAILING,
      "the driver failed to create it; the call is repeated",
      "see the error and the log of the driver"),
  SNAPSHOT_WAITS_FOR_DRIVER(
      CauseRank.WORKING,
      "the driver has not completed it",
      "if it takes long, check that --enable-snapshots or csi-snapshotter runs for the driver, and read the driver's log"),
  SNAPSHOT_WAITS_FOR_CONTROLLER(
      CauseRank.WAITING,
      "the snapshot controller has not processed it yet",
      "if it takes long, check that a snapshot controller runs (--controllers=*,snapshot-controller) and read its log"),
  SNAPSHOT_WAITS_FOR_GROUP(
      CauseRank.WAITING,
      "it is a member of a group of snapshots, which is not ready",
      "see why the group is not ready"),
  SNAPSHOT_HELD(
      CauseRank.WAITING,
      "it is being deleted, and other objects need it",
      "wait until the objects that the message names are ready or gone"),
  SNAPSHOT_DELETING(
      CauseRank.WORKING,
      "it is being deleted",
      "if it takes long, check that a snapshot controller and the driver's part run, and see the events of its content"),
  SNAPSHOT_CLASS_READY(CauseRank.FINE, "the class can be used", ""),
  SNAPSHOT_CLASS_AMBIGUOUS(
      CauseRank.MISCONFIGURED,
      "several classes of the driver are the default, so that objects without a class are not processed",
      "remove the annotation of the default class from all classes of the driver but one");

  private final CauseRank rank;
  private final ReasonText wording;

  SnapshotReason(CauseRank rank, String meaning, String remedy) {
    this.rank = rank;
    this.wording = new ReasonText(meaning, remedy);
  }

  public CauseRank rank() {
    return rank;
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
