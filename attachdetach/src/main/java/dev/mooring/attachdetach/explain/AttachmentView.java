package dev.mooring.attachdetach.explain;

import dev.mooring.attachdetach.decide.AttachStep;
import dev.mooring.attachdetach.decide.VolumeHolder;
import dev.mooring.model.Attachment;
import org.jspecify.annotations.Nullable;

/**
 * VolumeAttachment and the facts that determine its explanation.
 *
 * @param isVolumeAbsent whether the PersistentVolume that it names certainly does not exist
 * @param isForeign whether its name differs from the name that the controller would choose
 * @param isNodeAbsent whether pods use the volume on a Node that does not exist
 * @param hasRemainingPod whether a pod on the node still names the claim that was bound to the
 *     volume
 * @param step the controller's step for the volume on that node; null if there is none or it is
 *     unknown
 */
public record AttachmentView(
    Attachment attachment,
    boolean isVolumeAbsent,
    boolean isForeign,
    DriverState driver,
    boolean isNodeAbsent,
    boolean hasRemainingPod,
    @Nullable AttachStep step) {
  private static final String ATTACHER = "external-attacher/";

  public enum DriverState {
    // the driver runs on the node, or CSINodes cannot be read
    PRESENT,
    // the driver is in the cluster, but not on the node
    NOT_ON_NODE,
    // neither a CSIDriver nor a CSINode names the driver
    ABSENT,
    // the CSIDriver has attachRequired false
    ATTACHES_NOTHING
  }

  public AttachReason findReason() {
    if (attachment.meta().isBeingDeleted()) {
      return findTerminatingReason();
    }
    if (isVolumeAbsent) {
      return AttachReason.VOLUME_OBJECT_ABSENT;
    }
    if (isNodeAbsent) {
      return AttachReason.NODE_OBJECT_ABSENT;
    }
    return switch (step) {
      case AttachStep.Detach _ when hasRemainingPod -> AttachReason.POD_REMAINS;
      case AttachStep.Detach _ ->
          isForeign ? AttachReason.ATTACHED_BY_OTHERS : AttachReason.DETACH_DUE;
      case AttachStep.Hold(VolumeHolder holder) -> findReason(holder);
      case AttachStep.Blocked _ -> AttachReason.MULTI_ATTACH;
      case AttachStep.LeaveToKubelet _ ->
          attachment.attached() ? AttachReason.LEFT_TO_KUBELET : findAttachReason();
      case AttachStep.Keep _, AttachStep.Busy _, AttachStep.Attach _ -> findAttachReason();
      case null -> findAttachReason();
    };
  }

  public static AttachReason findReason(VolumeHolder holder) {
    return switch (holder.reason()) {
      case IN_USE_NOT_READY, IN_USE_GONE -> AttachReason.FORCE_AWAITED;
      case WANTED, WANTED_NOT_READY, UNCERTAIN, ATTACHING, DETACHING, IN_USE, IN_USE_UNTRACED ->
          AttachReason.UNMOUNT_AWAITED;
      case UNMANAGED -> AttachReason.LEFT_TO_KUBELET;
      case NODE_ABSENT -> AttachReason.NODE_OBJECT_ABSENT;
    };
  }

  private boolean isHeldByDriver() {
    return attachment.meta().finalizers().stream().anyMatch(f -> f.startsWith(ATTACHER));
  }

  private AttachReason findTerminatingReason() {
    if (!isHeldByDriver()) {
      return attachment.meta().finalizers().isEmpty()
          ? AttachReason.DETACHING
          : AttachReason.ATTACHMENT_HELD;
    }
    if (driver == DriverState.ABSENT) {
      return AttachReason.DRIVER_ABSENT;
    }
    return attachment.detachError().isEmpty() ? AttachReason.DETACHING : AttachReason.DETACH_FAILED;
  }

  private AttachReason findAttachReason() {
    if (attachment.attached()) {
      return AttachReason.ATTACHED;
    }
    return switch (driver) {
      case ATTACHES_NOTHING -> AttachReason.ATTACH_NOT_NEEDED;
      case ABSENT -> AttachReason.DRIVER_ABSENT;
      case NOT_ON_NODE -> AttachReason.DRIVER_NOT_ON_NODE;
      case PRESENT ->
          attachment.attachError().isEmpty() ? AttachReason.ATTACHING : AttachReason.ATTACH_FAILED;
    };
  }
}
