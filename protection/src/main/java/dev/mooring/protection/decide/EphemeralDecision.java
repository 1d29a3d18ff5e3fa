package dev.mooring.protection.decide;

import dev.mooring.model.ObjectKey;

/** Action for a pod's generic ephemeral volumes. */
public sealed interface EphemeralDecision {
  record Nothing() implements EphemeralDecision {}

  record CreateClaim(String volume, ObjectKey claim) implements EphemeralDecision {}

  record ForeignClaim(String volume, ObjectKey claim) implements EphemeralDecision {}
}
