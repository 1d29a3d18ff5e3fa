package dev.mooring.protection.decide;

import java.util.List;

/** What becomes of an object's protection finalizer. */
public sealed interface FinalizerDecision {
  /** These finalizers ought to be there. */
  record Replace(List<String> finalizers) implements FinalizerDecision {}

  /** The object is in use; why. */
  record Hold(String usedBy) implements FinalizerDecision {}

  /** It is as it ought to be. */
  record Leave() implements FinalizerDecision {}
}
