package dev.mooring.expander.decide;

import dev.mooring.model.Quantity;

/** Action for a claim's size. */
public sealed interface ExpandDecision {
  record Nothing() implements ExpandDecision {}

  record NotBound(String message) implements ExpandDecision {}

  record LeaveToExternalResizer() implements ExpandDecision {}

  record HandOver(String plugin, String driver) implements ExpandDecision {}

  record RemoveAnnotation() implements ExpandDecision {}

  record RequestNodeExpansion() implements ExpandDecision {}

  record Grow(Quantity target) implements ExpandDecision {}
}
