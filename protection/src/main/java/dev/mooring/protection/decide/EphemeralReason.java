package dev.mooring.protection.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.Wording;

/** Why a pod has no claim yet for one of its generic ephemeral volumes. */
public enum EphemeralReason implements ReasonCode {
  CLAIM_DUE("the claim of an ephemeral volume of the pod is about to be made", ""),
  CLAIM_OF_ANOTHER(
      "a claim has the name that the claim of the pod's ephemeral volume would have, and is not the"
          + " pod's",
      "delete that claim if nobody needs it, or give the pod or its volume another name");

  private final Wording wording;

  EphemeralReason(String meaning, String remedy) {
    this.wording = new Wording(meaning, remedy);
  }

  @Override
  public Wording wording() {
    return wording;
  }
}
