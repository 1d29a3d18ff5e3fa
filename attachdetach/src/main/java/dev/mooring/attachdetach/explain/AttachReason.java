package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.explain.Cause;
import dev.mooring.explain.CauseRank;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/**
 * Reasons for pods without a volume, for attachments that are not made or not deleted, and for
 * volumes that stay on a node.
 */
public enum AttachReason implements ReasonCode {
  CLAIM_ABSENT(
      CauseRank.MISCONFIGURED,
      "the pod names a claim that does not exist",
      "create the claim, or correct the name in the pod's template"),
  MULTI_ATTACH(
      CauseRank.WAITING,
      "only one node at a time may have the volume, and another node has it",
      "end the pods on the other node; if its machine is certainly off, add the taint"
          + " node.kubernetes.io/out-of-service to that node"),
  ATTACH_FAILED(
      CauseRank.FAILING,
      "the driver could not attach the volume; the controller tries again",
      "see the error and the driver's log"),
  ATTACHING(
      CauseRank.WORKING,
      "the volume is being attached to the pod's node",
      "if it takes long, check that the driver's attacher runs, and read its log"),
  VOLUMES_READY(CauseRank.FINE, "every volume of the pod is attached, or needs no attachment", ""),
  NO_NODE_FOR_VOLUMES(
      CauseRank.MISCONFIGURED,
      "the pod is not scheduled, and no node can have all of its volumes",
      "use volumes in one location, or add a node that reaches all of them and has capacity for them"),
  CLAIM_OF_ONE_POD(
      CauseRank.WAITING,
      "the pod is not scheduled, and another pod uses its claim, whose access mode ReadWriteOncePod"
          + " allows only one pod",
      "end the other pod, or give each pod its own claim"),
  NODE_OBJECT_ABSENT(
      CauseRank.WAITING,
      "pods use the volume on a Node that does not exist",
      VolumeHolder.absentNodeRemedy("that Node")),
  DRIVER_ABSENT(
      CauseRank.MISCONFIGURED,
      "no CSIDriver and no node names the driver",
      "install the driver, or correct its name"),
  DRIVER_NOT_ON_NODE(
      CauseRank.WAITING,
      "the driver does not run on the node, or its kubelet has not registered the driver",
      "find out why the driver's pod does not run on that node"),
  ATTACH_NOT_NEEDED(
      CauseRank.MISCONFIGURED,
      "volumes of this driver need no attachment, so the controller does not attach this one",
      "delete the VolumeAttachment; if the driver's volumes do need attachments, correct attachRequired of the"
          + " CSIDriver"),
  VOLUME_OBJECT_ABSENT(
      CauseRank.MISCONFIGURED,
      "the PersistentVolume of the attachment does not exist",
      "restore the PersistentVolume, or delete the VolumeAttachment after the storage has detached the volume"),
  ATTACHED(CauseRank.FINE, "the volume is attached", ""),
  ATTACHED_BY_OTHERS(
      CauseRank.WAITING,
      "no pod on the node needs the volume, and the volume controller does not delete an attachment"
          + " with a name that it did not choose",
      "delete the VolumeAttachment if its creator does not need it"),
  DETACH_DUE(
      CauseRank.WORKING,
      "no pod on the node needs the volume, and the controller is about to detach it",
      ""),
  POD_REMAINS(
      CauseRank.WAITING,
      "pods on the node name a claim that was bound to the volume and no longer is: the volume stays"
          + " until the pods end",
      "delete the pods"),
  UNMOUNT_AWAITED(
      CauseRank.WAITING,
      "no pod on the node needs the volume, but the node still lists it in use",
      "if it takes long, see the kubelet's log on that node"),
  FORCE_AWAITED(
      CauseRank.WAITING,
      "no pod on the node needs the volume, but the node, which is not ready or does not exist, last listed"
          + " it in use",
      "repair the node; if its machine is certainly off, add the taint"
          + " node.kubernetes.io/out-of-service"),
  DETACHING(
      CauseRank.WORKING,
      "the driver is detaching the volume from the node",
      "if it takes long, check that the driver's attacher runs, and read its log"),
  DETACH_FAILED(
      CauseRank.FAILING,
      "the driver could not detach the volume; the controller tries again",
      "see the error and the driver's log"),
  ATTACHMENT_HELD(
      CauseRank.WAITING,
      "the attachment is being deleted, and finalizers of other components keep it",
      "find out why the owner of the finalizer does not remove it; remove it by hand only if its owner never will"),
  NEEDED_ELSEWHERE(
      CauseRank.WAITING,
      "pods on this node use a volume that another node waits for, and only one node at a time may have it",
      "end the pods on this node, or wait until they end"),
  LEFT_TO_KUBELET(
      CauseRank.FINE,
      "the node's kubelet attaches and detaches its volumes itself: the node lacks the annotation"
          + " volumes.kubernetes.io/controller-managed-attach-detach",
      "if the controller shall attach its volumes, start the kubelet with"
          + " enableControllerAttachDetach"),
  NODE_FULL(
      CauseRank.WAITING,
      "the node has the maximum number of volumes of a driver",
      "the scheduler puts pods with more such volumes on other nodes: add nodes, or move pods"),
  NODE_SETTLED(CauseRank.FINE, "every volume on the node is used there", "");

  private final CauseRank rank;
  private final ReasonText wording;

  AttachReason(CauseRank rank, String meaning, String remedy) {
    this.rank = rank;
    this.wording = new ReasonText(meaning, remedy);
  }

  public Cause cause() {
    return Cause.of(this, rank);
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
