package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.Volume;
import dev.mooring.spi.csi.Identity;
import dev.mooring.spi.csi.Identity.Ability;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a driver is asked for a VolumeAttachment (spec/csi-bridge.md 7). */
public final class Publications {
  private Publications() {}

  /**
   * What the driver is asked.
   *
   * @param can what the driver can do; empty as long as it has not said so
   * @param held whether the attachment has the finalizer that it may not go before it is
   *     unpublished
   * @param forced whether the driver is asked although the attachment says that all is done
   */
  public static PublishDecision next(
      Attachment attachment, Optional<Identity> can, boolean held, boolean forced) {
    if (can.isEmpty()) {
      return new PublishDecision.Rest(); // whatever waits is looked at when the driver is ready
    }
    boolean leaving = attachment.meta().isBeingDeleted();
    if (!can.get().can(Ability.CONTROLLER_SERVICE)
        || !can.get().can(Ability.PUBLISH_UNPUBLISH_VOLUME)) {
      return attachment.attached() || leaving
          ? new PublishDecision.Rest()
          : new PublishDecision.Attached();
    }
    if (leaving) {
      return held || forced ? new PublishDecision.Unpublish() : new PublishDecision.Rest();
    }
    return attachment.attached() && !forced
        ? new PublishDecision.Rest()
        : new PublishDecision.Publish();
  }

  /**
   * Whether an attachment waits for what cannot come any more: what is being deleted is not
   * published, and a deletion is never taken back.
   */
  public static boolean isOver(Attachment attachment, Volume volume) {
    return volume.meta().isBeingDeleted()
        && !attachment.attached()
        && !attachment.meta().isBeingDeleted();
  }

  /**
   * Whether the driver is to be asked again, because what it lists as published is not what the
   * attachment says.
   *
   * @param attached what the attachment says
   * @param nodeId the node's id at the driver, "" if nobody knows it
   * @param listed where the driver says that the volume is; null if it does not list the volume,
   *     which is then nowhere
   */
  public static boolean differs(boolean attached, String nodeId, @Nullable List<String> listed) {
    if (nodeId.isEmpty()) {
      return false;
    }
    return attached != (listed != null && listed.contains(nodeId));
  }
}
