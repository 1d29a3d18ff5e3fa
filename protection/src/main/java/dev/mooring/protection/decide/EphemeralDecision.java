package dev.mooring.protection.decide;

import dev.mooring.model.ObjectKey;

/** What a pod's generic ephemeral volumes need. */
public sealed interface EphemeralDecision {
  /** Nothing: every claim is there, or none is wanted. */
  record Nothing() implements EphemeralDecision {}

  /** This volume's claim has to be made. */
  record Make(String volume, ObjectKey claim) implements EphemeralDecision {}

  /** A claim of that name is there but is not the pod's; nothing further is done. */
  record Foreign(String volume, ObjectKey claim) implements EphemeralDecision {}
}
