package dev.mooring.expander.decide;

import dev.mooring.model.Claim;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.Wording;

/** Why a claim that asks for more has not got it yet. */
public enum ResizeReason implements ReasonCode {
  RESIZE_REFUSED(
      "the storage refuses to make the volume as large as that",
      "ask for a size that the storage can give: less than now, but more than the claim has"),
  NODE_RESIZE_REFUSED(
      "the volume has grown, but the node failed for good to make its file system larger",
      "see the kubelet's log and the pod's events; ask for less if it is the size"),
  RESIZE_WAITS_FOR_NODE(
      "the volume has grown; its file system grows when a pod that uses the claim runs",
      "start a pod that uses the claim, if none does"),
  RESIZE_BY_DRIVER(
      "the storage driver makes the volume larger, not this controller",
      "if it takes long, see whether the driver's resizer runs and what its log says"),
  RESIZING("a plugin makes the volume larger", "see the claim's events if it takes long");

  private final Wording wording;

  ResizeReason(String meaning, String remedy) {
    this.wording = new Wording(meaning, remedy);
  }

  /** Why the claim waits, if that decision was taken for it; it asks for more than it has. */
  public static ResizeReason of(Claim claim, boolean growsHere) {
    return switch (claim.status().resize().state()) {
      case CONTROLLER_INFEASIBLE -> RESIZE_REFUSED;
      case NODE_INFEASIBLE -> NODE_RESIZE_REFUSED;
      case NODE_PENDING, NODE_IN_PROGRESS -> RESIZE_WAITS_FOR_NODE;
      case CONTROLLER_IN_PROGRESS, NONE -> growsHere ? RESIZING : RESIZE_BY_DRIVER;
    };
  }

  @Override
  public Wording wording() {
    return wording;
  }
}
