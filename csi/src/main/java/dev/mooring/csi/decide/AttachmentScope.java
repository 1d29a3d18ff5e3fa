package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.Volume;
import java.util.Optional;

/**
 * Attachments that an instance of a driver's attacher serves.
 *
 * @param onlyNode the only node to serve; empty for all
 * @param finalizer finalizer of attachments and volumes, in external-attacher's form
 */
public record AttachmentScope(String driver, Optional<String> onlyNode, String finalizer) {
  public AttachmentScope(String driver, Optional<String> onlyNode) {
    this(driver, onlyNode, "external-attacher/" + sanitize(driver));
  }

  private static String sanitize(String driver) {
    String sanitized = driver.replaceAll("[^a-zA-Z0-9-]", "-");
    return sanitized.endsWith("-") ? sanitized + "X" : sanitized;
  }

  public boolean contains(Attachment attachment) {
    return attachment.attacher().equals(driver)
        && onlyNode.map(attachment.nodeName()::equals).orElse(true);
  }

  // Reports whether a deleted volume waits for its finalizer.
  public boolean isReleasable(Volume volume) {
    return volume.meta().isBeingDeleted() && volume.finalizers().contains(finalizer);
  }
}
