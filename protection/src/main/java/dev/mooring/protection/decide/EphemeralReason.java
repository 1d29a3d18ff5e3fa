package dev.mooring.protection.decide;

import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/** Reasons why a pod lacks a claim for a generic ephemeral volume. */
public enum EphemeralReason implements ReasonCode {
  CLAIM_DUE("the controller is about to create the claim of an ephemeral volume of the pod", ""),
  CLAIM_OF_ANOTHER(
      "another claim has the name of the claim for the pod's ephemeral volume",
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
