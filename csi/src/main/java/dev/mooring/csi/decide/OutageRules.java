package dev.mooring.csi.decide;

import dev.mooring.model.Attachment;
import dev.mooring.model.Claim;
import dev.mooring.model.ClaimPhase;
import java.util.Optional;

/**
 * Decides which objects wait for a driver.
 *
 * @param onlyNode node that this process serves; empty for all
 */
public record OutageRules(String driver, Optional<String> onlyNode) {
  private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

  public boolean isWaiting(Claim claim) {
    return (claim.phase() == ClaimPhase.UNSET || claim.phase() == ClaimPhase.PENDING)
        && claim.volumeName().isEmpty()
        && !claim.meta().isBeingDeleted()
        && claim.meta().annotation(PROVISIONER).equals(driver)
        && isServed(claim.meta().annotation(SELECTED_NODE));
  }

  public boolean isWaiting(Attachment attachment) {
    return attachment.attacher().equals(driver)
        && attachment.attached() == attachment.meta().isBeingDeleted()
        && isServed(attachment.nodeName());
  }

  private boolean isServed(String node) {
    return onlyNode.isEmpty() || onlyNode.get().equals(node);
  }
}
