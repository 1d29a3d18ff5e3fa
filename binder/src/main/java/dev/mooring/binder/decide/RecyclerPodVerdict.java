package dev.mooring.binder.decide;

import dev.mooring.model.Pod;

/** Verdict whether a recycler pod still scrubs a volume that is about to be given to a claim. */
public sealed interface RecyclerPodVerdict {
  record None() implements RecyclerPodVerdict {}

  record Scrubs(Pod pod) implements RecyclerPodVerdict {}

  record Unknown(String message) implements RecyclerPodVerdict {}
}
