package dev.mooring.protection.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/** Reasons why a pod lacks a claim for a generic ephemeral volume. */
public enum EphemeralReason implements ReasonCode {
  CLAIM_DUE("the controller is about to create the claim of an ephemeral volume of the pod", ""),
  CLAIM_OF_ANOTHER(
      "a claim has the name that the claim of the pod's ephemeral volume would have, and does not belong to the"
          + " pod's",
      "delete that claim if it is not needed, or give the pod or its volume another name");

  private final ReasonText wording;

  EphemeralReason(String meaning, String remedy) {
    this.wording = new ReasonText(meaning, remedy);
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
