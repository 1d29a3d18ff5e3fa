package dev.mooring.protection.decide;

import dev.mooring.explain.CauseRank;
import dev.mooring.model.ReasonCode;
import dev.mooring.model.ReasonText;

/** Reasons why a pod lacks a claim for a generic ephemeral volume. */
public enum EphemeralReason implements ReasonCode {
  CLAIM_DUE(
      CauseRank.WORKING,
      "the controller is about to create the claim of an ephemeral volume of the pod",
      ""),
  CLAIM_OF_ANOTHER(
      CauseRank.MISCONFIGURED,
      "another claim has the name of the claim for the pod's ephemeral volume",
      "delete that claim if it is not needed, or give the pod or its volume another name");

  private final CauseRank rank;
  private final ReasonText wording;

  EphemeralReason(CauseRank rank, String meaning, String remedy) {
    this.rank = rank;
    this.wording = new ReasonText(meaning, remedy);
  }

  public CauseRank rank() {
    return rank;
  }

  @Override
  public ReasonText wording() {
    return wording;
  }
}
