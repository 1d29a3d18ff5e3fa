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

    StepBudget createBudget(int maxSteps) {
      return new StepBudget(maxSteps, this);
    }

    long steps() {
      return steps;
    }
  }

  private final StepCounter counter;
  private int remainingSteps;

  private StepBudget(int maxSteps, StepCounter counter) {
    this.remainingSteps = maxSteps;
    this.counter = counter;
  }

  boolean take(int count) {
    if (remainingSteps <= 0) {
      return false;
    }
    remainingSteps -= count;
    counter.steps += count;
    return true;
  }

  /** Ensures that one step is left: a caller that tests one object per call will finish. */
  void ensureOneStep() {
    remainingSteps = Math.max(remainingSteps, 1);
  }
}
