package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.explain.AgeFormat;
import dev.mooring.operation.KeyedOperations;
import java.time.Duration;

final class RetryDelays {
  private RetryDelays() {}

  /**
   * Returns the end of a sentence. The number of earlier attempts is unknown to other processes.
   */
  static String afterFailure(BinderPolicy policy) {
    return " after a pause that doubles, of "
        + text(KeyedOperations.LONGEST_BACKOFF)
        + " at most"
        + (policy.compat().isKubernetes()
            ? ""
            : "; a rejected request is repeated when an input changes or after "
                + text(KeyedOperations.REJECTION_RETRY_PERIOD));
  }

  private static String text(Duration pause) {
    return AgeFormat.format(pause.toSeconds());
  }
}
