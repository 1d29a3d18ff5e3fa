package dev.mooring.attachdetach.decide;

import dev.mooring.model.ReasonCode;

/** Why a pod that is scheduled has not got a volume yet. */
public enum AttachReason implements ReasonCode {
  CLAIM_ABSENT(
      "the pod names a claim that does not exist",
      "create the claim, or correct the name in the pod's template"),
  MULTI_ATTACH(
      "one node at a time may have the volume, and another node has it",
      "end the pods on the other node; if that node is dead for certain, give it the taint"
          + " node.kubernetes.io/out-of-service"),
  ATTACH_FAILED(
      "the driver could not attach the volume; it is tried again",
      "see the error and the driver's log"),
  ATTACHING(
      "the volume is being attached to the pod's node",
      "if it takes long, see whether the driver's attacher runs and what its log says"),
  VOLUMES_READY("every volume of the pod is attached, or needs no attaching", "");

  private final String meaning;
  private final String remedy;

  AttachReason(String meaning, String remedy) {
    this.meaning = meaning;
    this.remedy = remedy;
  }

  @Override
  public String meaning() {
    return meaning;
  }

  @Override
  public String remedy() {
    return remedy;
  }
}
