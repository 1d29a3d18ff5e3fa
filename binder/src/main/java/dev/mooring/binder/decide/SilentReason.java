package dev.mooring.binder.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/**
 * Reasons of claims for which no event is emitted; only {@code explain} shows them. Together with
 * {@link Reason} they cover all states of a claim.
 */
public enum SilentReason implements ReasonCode {
  BOUND("the claim has its volume", ""),
  BINDING("a suitable volume is being bound to the claim", ""),
  TAKES_DEFAULT_CLASS("the claim names no class and gets the default class", ""),
  PROVISIONING(
      "a plugin is creating the volume",
      "if it takes long, see what the volume controller logs about the plugin"),
  MADE_UNFIT(
      "the volume that was provisioned for the claim does not suit it",
      "create the claim again so that such a volume suits it"),
  NODE_WITHOUT_DRIVER(
      "the CSI driver of the class does not run on the node that the scheduler selected for the claim",
      "install the driver on the node, or keep the claim's pod off it (node selector, taint)"),
  VOLUME_BEING_RECLAIMED(
      "the volume that suits the claim is still being reclaimed from an earlier claim",
      "wait until it is scrubbed, or remove the old claim's uid from its claimRef"),
  BEING_DELETED("the claim is being deleted: it gets no volume", ""),
  CANNOT_TELL(
      "objects that the answer depends on could not be read",
      "repeat the command with the right to get and list these objects");

  private final ReasonText wording;

  SilentReason(String meaning, String remedy) {
    this.wording = new ReasonText(meaning, remedy);
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
