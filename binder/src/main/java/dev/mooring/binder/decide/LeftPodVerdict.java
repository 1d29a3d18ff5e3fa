package dev.mooring.binder.decide;

import dev.mooring.model.Pod;

/** Verdict whether a recycler pod still scrubs a volume that is about to be given to a claim. */
public sealed interface LeftPodVerdict {
  record None() implements LeftPodVerdict {}

  record Scrubs(Pod pod) implements LeftPodVerdict {}

  record CannotTell(String why) implements LeftPodVerdict {}
}
