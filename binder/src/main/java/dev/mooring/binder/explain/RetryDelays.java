package dev.mooring.binder.explain;

import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.explain.AgeFormat;
import dev.mooring.operation.KeyedOperations;
import java.time.Duration;

final class RetryDelays {
  private RetryDelays() {}

  /**
   * Returns the words after "the binder retries". They name only the longest pause, because another
   * process does not know the number of earlier attempts.
   */
  static String afterFailure(BinderPolicy policy) {
    return " after a pause that doubles up to "
        + text(KeyedOperations.LONGEST_BACKOFF)
        + (policy.compat().isKubernetes()
            ? ""
            : "; a rejected request is repeated when an input changes or after "
                + text(KeyedOperations.REJECTION_RETRY_PERIOD));
  }

  private static String text(Duration pause) {
    return AgeFormat.format(pause.toSeconds());
  }
}
