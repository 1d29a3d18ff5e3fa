package dev.mooring.protection.decide;

import dev.mooring.model.Claim;
import java.util.List;

/** Action for a claim's condition {@code Unused}. */
public sealed interface UnusedDecision {
  record Unchanged() implements UnusedDecision {}

  record SetCondition(List<Claim.Condition> conditions) implements UnusedDecision {}

  record Unknown(String message) implements UnusedDecision {}
}
