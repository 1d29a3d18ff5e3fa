package dev.mooring.binder.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.reconcile.Outcome;

final class WriteOutcomes {
  private WriteOutcomes() {}

  /**
   * Returns the outcome of any result except {@link WriteResult.Written}. Unlike {@link
   * Outcome#ofWrite} it retries if the object is gone, because a binding has two objects.
   */
  static Outcome outcome(String action, WriteResult<?> result) {
    return result instanceof WriteResult.Gone<?>
        ? new Outcome.Conflicted(action + ": the object is gone")
        : Outcome.ofWrite(action, result);
  }
}
