package dev.mooring.binder.decide;

/** Verdict whether the node that was selected for a claim exists. */
public sealed interface NodeVerdict {
  record Exists() implements NodeVerdict {}

  record Gone() implements NodeVerdict {}

  record Impossible(String flaw) implements NodeVerdict {}

  record CannotTell(String message) implements NodeVerdict {}
}
