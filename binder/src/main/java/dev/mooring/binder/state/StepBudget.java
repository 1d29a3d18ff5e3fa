package dev.mooring.binder.state;

/**
 * Budget of work for one decision: everything that takes time takes steps, including skipped
 * objects. A step is a look-up, a comparison, or a test of a volume or claim. It takes about a
 * tenth of a microsecond, however complex a selector is. Not thread-safe.
 */
final class StepBudget {
  /** Total of all steps taken. */
  static final class StepCounter {
    private long steps;

    StepBudget atMost(int most) {
      return new StepBudget(most, this);
    }

    long steps() {
      return steps;
    }
  }

  private final StepCounter total;
  private int left;

  private StepBudget(int most, StepCounter total) {
    this.left = most;
    this.total = total;
  }

  boolean take(int count) {
    if (left <= 0) {
      return false;
    }
    left -= count;
    total.steps += count;
    return true;
  }

  /** Ensures that one step is left: a caller that tests one object per call will finish. */
  void keepOne() {
    left = Math.max(left, 1);
  }
}
