package dev.mooring.expander.decide;

import dev.mooring.model.Quantity;

/** What is to be done about a claim's size. */
public sealed interface ExpandDecision {
  /** It has what it asks for. */
  record Nothing() implements ExpandDecision {}

  /** The volume that it names is not its own (yet): looked at again. */
  record NotBound(String why) implements ExpandDecision {}

  /** A resizer beside us, or the driver's own, grows it. */
  record LeaveToOthers() implements ExpandDecision {}

  /** The CSI driver that took over an in-tree plugin's volumes grows it: the claim is marked. */
  record HandOver(String plugin, String driver) implements ExpandDecision {}

  /** The file system has grown too: the mark on the volume goes. */
  record Unmark() implements ExpandDecision {}

  /** The volume is large enough, but a node failed for good to grow the file system: once more. */
  record AskNode() implements ExpandDecision {}

  /** A plugin in this process grows it to that size. */
  record Grow(Quantity target) implements ExpandDecision {}
}
