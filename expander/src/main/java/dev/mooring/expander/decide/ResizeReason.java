package dev.mooring.expander.decide;

import dev.mooring.explain.CauseRank;
import dev.mooring.model.Claim;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/** Reasons why a claim does not have the capacity that it requests. */
public enum ResizeReason implements ReasonCode {
  RESIZE_REFUSED(
      CauseRank.MISCONFIGURED,
      "the storage rejects an expansion to the requested size",
      "request a size that the storage supports: smaller than now, but larger than the claim's capacity"),
  NODE_RESIZE_REFUSED(
      CauseRank.MISCONFIGURED,
      "the volume has grown, but the node failed permanently to expand its file system",
      "see the kubelet's log and the pod's events; request less if the size is the cause"),
  RESIZE_WAITS_FOR_NODE(
      CauseRank.WAITING,
      "the volume has grown; its file system grows when a pod that uses the claim runs",
      "start a pod that uses the claim, if none runs"),
  RESIZE_BY_DRIVER(
      CauseRank.WAITING,
      "the storage driver expands the volume, not this controller",
      "if it takes long, see whether the driver's resizer runs and what it logs"),
  RESIZING(
      CauseRank.WORKING,
      "a plugin is expanding the volume",
      "see the claim's events if it takes long");

  public static final String FAILED_EVENT = "VolumeResizeFailed";

  public static final String DONE_EVENT = "VolumeResizeSuccessful";

  private final CauseRank rank;
  private final ReasonText wording;

  ResizeReason(CauseRank rank, String meaning, String remedy) {
    this.rank = rank;
    this.wording = new ReasonText(meaning, remedy);
  }

  public static ResizeReason of(Claim claim, boolean isExpandedHere) {
    return switch (claim.status().resize().state()) {
      case CONTROLLER_INFEASIBLE -> RESIZE_REFUSED;
      case NODE_INFEASIBLE -> NODE_RESIZE_REFUSED;
      case NODE_PENDING, NODE_IN_PROGRESS -> RESIZE_WAITS_FOR_NODE;
      case CONTROLLER_IN_PROGRESS, NONE -> isExpandedHere ? RESIZING : RESIZE_BY_DRIVER;
    };
  }

  public CauseRank rank() {
    return rank;
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
