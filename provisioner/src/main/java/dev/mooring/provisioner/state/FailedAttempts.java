package dev.mooring.provisioner.state;

import dev.mooring.model.Uid;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the failed attempts of objects. The count stays after the last retry, so that each later
 * change of the object causes one attempt, as in Go's provisioner library. Thread-safe.
 */
public final class FailedAttempts {
  private final Map<Uid, Integer> counts = new ConcurrentHashMap<>();
  private final int threshold;

  /**
   * Creates an empty count.
   *
   * @param threshold number of retries; 0 = unlimited
   */
  FailedAttempts(int threshold) {
    this.threshold = threshold;
  }

  /** Returns whether a retry is due after this failure. */
  public boolean recordFailure(Uid object) {
    return threshold == 0 || counts.merge(object, 1, Integer::sum) <= threshold;
  }

  void forget(Uid object) {
    counts.remove(object);
  }
}
