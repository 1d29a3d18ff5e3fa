package dev.mooring.binder.decide;

/** Verdict whether the node that was selected for a claim exists. */
public sealed interface NodeVerdict {
  record There() implements NodeVerdict {}

  record Gone() implements NodeVerdict {}

  record Impossible(String flaw) implements NodeVerdict {}

  record CannotTell(String why) implements NodeVerdict {}
}
