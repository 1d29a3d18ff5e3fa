package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.DriverIdentity;
import dev.mooring.spi.csi.DriverIdentity.DriverCapability;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides the next CSI call for a VolumeAttachment (spec/csi-bridge.md 7). */
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
   * @param held whether the attachment has our finalizer
   * @param forced whether to call the driver although the attachment reports completion
   */
  public static PublishStep next(
      Attachment attachment, Optional<DriverIdentity> identity, boolean held, boolean forced) {
    if (identity.isEmpty()) {
      return new PublishStep.NoAction(); // attachments are requeued when the driver is ready
    }
    boolean deleting = attachment.meta().isBeingDeleted();
    if (!identity.get().can(DriverCapability.CONTROLLER_SERVICE)
        || !identity.get().can(DriverCapability.PUBLISH_UNPUBLISH_VOLUME)) {
      return attachment.attached() || deleting
          ? new PublishStep.NoAction()
          : new PublishStep.Attached();
    }
    if (deleting) {
      return held || forced ? new PublishStep.Unpublish() : new PublishStep.NoAction();
    }
    return attachment.attached() && !forced
        ? new PublishStep.NoAction()
        : new PublishStep.Publish();
  }

  /**
   * Reports whether an attachment can never complete: a volume that is being deleted is not
   * published, and deletion is irreversible.
   */
  public static boolean isOver(Attachment attachment, Volume volume) {
    return volume.meta().isBeingDeleted()
        && !attachment.attached()
        && !attachment.meta().isBeingDeleted();
  }

  /**
   * Reports whether the driver's list contradicts the attachment, so that the call is repeated.
   *
   * @param attached what the attachment reports
   * @param nodeId the node's id at the driver; "" if unknown
   * @param listed the driver's nodes of the volume; null if the volume is not listed and thus
   *     unpublished
   */
  public static boolean differs(boolean attached, String nodeId, @Nullable List<String> listed) {
    if (nodeId.isEmpty()) {
      return false;
    }
    return attached != (listed != null && listed.contains(nodeId));
  }
}
