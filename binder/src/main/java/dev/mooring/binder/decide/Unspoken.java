package dev.mooring.binder.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.Wording;

/**
 * How a claim may stand without an event that says so; {@code explain} does. Together with {@link
 * Reason} this is everything that can be said of a claim.
 */
public enum Unspoken implements ReasonCode {
  BOUND("the claim has its volume", ""),
  BINDING("a volume suits the claim, and is being bound to it", ""),
  TAKES_DEFAULT_CLASS("the claim names no class and is given the default one", ""),
  PROVISIONING(
      "a plugin makes the volume",
      "if it takes long, see what the volume controller's log says of the plugin"),
  MADE_UNFIT(
      "the volume that was made for the claim does not suit it",
      "make the claim anew so that such a volume suits it"),
  NODE_WITHOUT_DRIVER(
      "the class's CSI driver does not run on the node that the scheduler chose for the claim",
      "install the driver on the node, or keep the claim's pod off it (node selector, taint)"),
  VOLUME_BEING_RECLAIMED(
      "the claim's volume was another claim's, and is not free of it yet",
      "wait until it is scrubbed, or take the old claim's uid out of its claimRef"),
  BEING_DELETED("the claim is being deleted: no volume is looked for", ""),
  CANNOT_TELL(
      "what the answer rests on could not be read",
      "ask again with the right to get and list what is named");

  private final Wording wording;

  Unspoken(String meaning, String remedy) {
    this.wording = new Wording(meaning, remedy);
  }

  @Override
  public Wording wording() {
    return wording;
  }
}
