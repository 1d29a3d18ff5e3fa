package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides the next CSI call for a VolumeAttachment. */
public final class PublishRules {
  // Next CSI call.
  public sealed interface PublishStep {
    record NoAction() implements PublishStep {}

    // No call: the driver does not publish volumes, so the attachment is reported as attached.
    record Attached() implements PublishStep {}

    record Publish() implements PublishStep {}

    record Unpublish() implements PublishStep {}
  }

  private PublishRules() {}

  /**
   * Returns the next call.
   *
   * @param identity the driver's capabilities; empty until the driver is ready
   * @param hasFinalizer whether the attachment has our finalizer
   * @param isForced whether to call the driver although the attachment reports completion
   */
  public static PublishStep decideStep(
      Attachment attachment,
      Optional<DriverIdentity> identity,
      boolean hasFinalizer,
      boolean isForced) {
    if (identity.isEmpty()) {
      return new PublishStep.NoAction(); // attachments are requeued when the driver is ready
    }
    boolean isBeingDeleted = attachment.meta().isBeingDeleted();
    if (!identity.get().can(DriverCapability.CONTROLLER_SERVICE)
        || !identity.get().can(DriverCapability.PUBLISH_UNPUBLISH_VOLUME)) {
      return attachment.attached() || isBeingDeleted
          ? new PublishStep.NoAction()
          : new PublishStep.Attached();
    }
    if (isBeingDeleted) {
      return hasFinalizer || isForced ? new PublishStep.Unpublish() : new PublishStep.NoAction();
    }
    return attachment.attached() && !isForced
        ? new PublishStep.NoAction()
        : new PublishStep.Publish();
  }

  /**
   * Reports whether an attachment can never complete: a volume that is being deleted is not
   * published, and deletion is irreversible.
   */
  public static boolean canNeverComplete(Attachment attachment, Volume volume) {
    return volume.meta().isBeingDeleted()
        && !attachment.attached()
        && !attachment.meta().isBeingDeleted();
  }

  /**
   * Reports whether the driver's list contradicts the attachment, so that the call is repeated.
   *
   * @param isAttached what the attachment reports
   * @param nodeId the node's id at the driver; "" if unknown
   * @param listedNodes the driver's nodes of the volume; null if the volume is not listed and thus
   *     unpublished
   */
  public static boolean differsFromList(
      boolean isAttached, String nodeId, @Nullable List<String> listedNodes) {
    if (nodeId.isEmpty()) {
      return false;
    }
    return isAttached != (listedNodes != null && listedNodes.contains(nodeId));
  }
}
