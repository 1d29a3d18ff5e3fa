package dev.mooring.protection.decide;

import java.util.List;

/** What becomes of an object's protection finalizer. */
public sealed interface FinalizerDecision {
  /** It is missing; these finalizers ought to be there. */
  record Protect(List<String> finalizers) implements FinalizerDecision {}

  /** The object is being deleted and unused: these finalizers are left. */
  record Release(List<String> finalizers) implements FinalizerDecision {}

  /** The object is being deleted but in use; by whom. */
  record Hold(String usedBy) implements FinalizerDecision {}

  /** It is as it ought to be. */
  record Leave() implements FinalizerDecision {}

  /** Whether it is in use could not be found out: it stays, and is asked again. */
  record Unknown(String why) implements FinalizerDecision {}
}
