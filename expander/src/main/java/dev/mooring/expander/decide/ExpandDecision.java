package dev.mooring.expander.decide;

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
}
