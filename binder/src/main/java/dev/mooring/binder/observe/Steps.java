package dev.mooring.binder.observe;

/**
 * How much may be looked at for one decision: whatever takes time takes steps, what is skipped too.
 * A step is a look-up, a comparison, a volume or a claim that is looked at: a matter of a tenth of
 * a microsecond, whatever a selector's author wrote. Not thread-safe.
 */
final class Steps {
  private final StepTotal total;
  private int left;

  /**
   * At most so many, but for the last thing that is looked at.
   *
   * @param total is told of every step that was taken
   */
  Steps(int most, StepTotal total) {
    this.left = most;
    this.total = total;
  }

  /** Takes so many; false if there are none left. */
  boolean take(int count) {
    if (left <= 0) {
      return false;
    }
    left -= count;
    total.add(count);
    return true;
  }

  /** Sees to it that one is left: who looks at one thing each time is through at last. */
  void keepOne() {
    left = Math.max(left, 1);
  }
}
