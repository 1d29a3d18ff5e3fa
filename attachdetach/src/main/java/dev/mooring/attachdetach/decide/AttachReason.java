package dev.mooring.attachdetach.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.Wording;

/**
 * Why a pod has not got a volume yet, why an attachment is not made or does not go, and why volumes
 * stay on a node.
 */
public enum AttachReason implements ReasonCode {
  CLAIM_ABSENT(
      "the pod names a claim that does not exist",
      "create the claim, or correct the name in the pod's template"),
  MULTI_ATTACH(
      "one node at a time may have the volume, and another node has it",
      "end the pods on the other node; if that node is dead for certain, give it the taint"
          + " node.kubernetes.io/out-of-service"),
  ATTACH_FAILED(
      "the driver could not attach the volume; it is tried again",
      "see the error and the driver's log"),
  ATTACHING(
      "the volume is being attached to the pod's node",
      "if it takes long, see whether the driver's attacher runs and what its log says"),
  VOLUMES_READY("every volume of the pod is attached, or needs no attaching", ""),
  NO_NODE_FOR_VOLUMES(
      "the pod is not scheduled, and no node can have all of its volumes",
      "use volumes of one place, or add a node that reaches all of them and has room for them"),
  CLAIM_OF_ONE_POD(
      "the pod is not scheduled, and another pod uses its claim, whose access mode ReadWriteOncePod"
          + " lets one pod use it",
      "end the other pod, or give each pod its own claim"),
  NODE_OBJECT_ABSENT(
      "pods use the volume on a Node that does not exist", absentNodeRemedy("that Node")),
  DRIVER_ABSENT(
      "nothing in the cluster says that the driver is there: no CSIDriver, and no node has it",
      "install the driver, or correct its name"),
  DRIVER_NOT_ON_NODE(
      "the driver does not run on the node, or its kubelet does not know it",
      "see why the driver's pod does not run on that node"),
  ATTACH_NOT_NEEDED(
      "volumes of this driver need no attaching, so nobody attaches this one",
      "delete the VolumeAttachment; if its volumes do need attaching, correct attachRequired of the"
          + " CSIDriver"),
  VOLUME_OBJECT_ABSENT(
      "the PersistentVolume that is to be attached does not exist",
      "restore the PersistentVolume, or delete the VolumeAttachment when the storage has detached it"),
  ATTACHED("the volume is attached, and used there or kept", ""),
  ATTACHED_BY_OTHERS(
      "nothing on the node needs the volume, and the volume controller does not delete an attachment"
          + " whose name is not of its making",
      "delete the VolumeAttachment, if whoever made it does not need it"),
  DETACH_DUE("nothing on the node needs the volume, and it is being taken from it", ""),
  POD_REMAINS(
      "pods on the node name the claim that had the volume, and the claim has it no more: it stays"
          + " until they end",
      "delete the pods"),
  UNMOUNT_AWAITED(
      "nothing on the node needs the volume, but the node says that it still uses it",
      "if it takes long, see the kubelet's log on that node"),
  FORCE_AWAITED(
      "nothing on the node needs the volume, but the node, which is not well, said last that it uses"
          + " it",
      "bring the node back; if it is dead for certain, give it the taint"
          + " node.kubernetes.io/out-of-service"),
  DETACHING(
      "the driver takes the volume from the node",
      "if it takes long, see whether the driver's attacher runs and what its log says"),
  DETACH_FAILED(
      "the driver could not detach the volume; it is tried again",
      "see the error and the driver's log"),
  ATTACHMENT_HELD(
      "the attachment is being deleted, and has finalizers that others have to take away",
      "see why whoever a finalizer belongs to does not; take one away by hand only if nobody will"),
  NEEDED_ELSEWHERE(
      "pods here use a volume that another node waits for, and one node at a time may have it",
      "end the pods here, or wait until they end"),
  LEFT_TO_KUBELET(
      "the node's kubelet attaches and detaches its volumes itself: the node lacks the annotation"
          + " volumes.kubernetes.io/controller-managed-attach-detach",
      "if the controller is to attach its volumes, start the kubelet with"
          + " enableControllerAttachDetach"),
  NODE_FULL(
      "the node has as many volumes of a driver as it may have",
      "pods with more such volumes go to other nodes: add nodes, or move pods away"),
  NODE_SETTLED("every volume that the node has is used there", "");

  private final Wording wording;

  AttachReason(String meaning, String remedy) {
    this.wording = new Wording(meaning, remedy);
  }

  /** Returns what ends the use of a volume by pods of a Node that does not exist. */
  public static String absentNodeRemedy(String node) {
    return "let the kubelet of "
        + node
        + " register again; if its machine is certainly off, wait for pod garbage collection or"
        + " delete the pods with --force";
  }

  @Override
  public Wording wording() {
    return wording;
  }
}
