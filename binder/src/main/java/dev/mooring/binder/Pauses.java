package dev.mooring.binder;

import dev.mooring.binder.decide.Policy;
import dev.mooring.explain.Age;
import dev.mooring.operation.KeyedOperations;
import java.time.Duration;

/** How long it takes until a plugin tries again, for people. */
final class Pauses {
  private Pauses() {}

  /** The end of a sentence: how many tries there were before nobody else knows. */
  static String afterFailure(Policy policy) {
    return " after a pause that doubles, of "
        + text(KeyedOperations.LONGEST_PAUSE)
        + " at most"
        + (policy.compat().isKubernetes()
            ? ""
            : "; what it refused, when that changes or after "
                + text(KeyedOperations.REFUSAL_HOLDS));
  }

  private static String text(Duration pause) {
    return Age.text(pause.toSeconds());
  }
}
