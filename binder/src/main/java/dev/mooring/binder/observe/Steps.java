package dev.mooring.binder.observe;

/**
 * How much may be looked at for one decision: whatever takes time takes steps, what is skipped too.
 * A step is a matter of a tenth of a microsecond. Not thread-safe.
 */
final class Steps {
  private int left;

  Steps(int most) {
    this.left = most;
  }

  /** Takes so many; false if there are none left. */
  boolean take(int count) {
    if (left <= 0) {
      return false;
    }
    left -= count;
    return true;
  }

  /** Sees to it that one is left: who looks at one thing each time is through at last. */
  void keepOne() {
    left = Math.max(left, 1);
  }
}
