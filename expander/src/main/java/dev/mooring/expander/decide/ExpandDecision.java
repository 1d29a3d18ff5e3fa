package dev.mooring.expander.decide;

import dev.mooring.model.Quantity;

/** Action for a claim's size. */
public sealed interface ExpandDecision {
  record Nothing() implements ExpandDecision {}

  /** The volume that the claim names does not belong to it, or not yet: check again. */
  record NotBound(String why) implements ExpandDecision {}

  record LeaveToOthers() implements ExpandDecision {}

  record HandOver(String plugin, String driver) implements ExpandDecision {}

  /** The file system has grown too: remove the annotation from the volume. */
  record Unmark() implements ExpandDecision {}

  /**
   * The volume is large enough, but a node failed finally to expand the file system: request it
   * again.
   */
  record AskNode() implements ExpandDecision {}

  record Grow(Quantity target) implements ExpandDecision {}
}
