package dev.mooring.protection.decide;

import dev.mooring.model.ObjectKey;

/** Action for a pod's generic ephemeral volumes. */
public sealed interface EphemeralDecision {
  record Nothing() implements EphemeralDecision {}

  record Make(String volume, ObjectKey claim) implements EphemeralDecision {}

  record Foreign(String volume, ObjectKey claim) implements EphemeralDecision {}
}
