package dev.mooring.expander.decide;

import dev.mooring.model.Quantity;

/** Action for a claim's size. */
public sealed interface ExpandDecision {
  record Nothing() implements ExpandDecision {}

  record NotBound(String why) implements ExpandDecision {}

  record LeaveToOthers() implements ExpandDecision {}

  record HandOver(String plugin, String driver) implements ExpandDecision {}

  record Unmark() implements ExpandDecision {}

  record AskNode() implements ExpandDecision {}

  record Grow(Quantity target) implements ExpandDecision {}
}
