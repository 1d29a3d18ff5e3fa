package dev.mooring.binder.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.reconcile.Outcome;

/** What a write that did not happen means for the key. */
final class Results {
  private Results() {}

  /**
   * The outcome of anything but {@link WriteResult.Written}. Unlike {@link Outcome#after} it looks
   * again where the object is gone: the binder has two objects in hand.
   */
  static Outcome outcome(String what, WriteResult<?> result) {
    return result instanceof WriteResult.Gone<?>
        ? new Outcome.Conflicted(what + ": the object is gone")
        : Outcome.after(what, result);
  }
}
