package dev.mooring.binder.observe;

/** All steps that were ever taken. Not thread-safe: the reservations' lock guards it. */
final class StepTotal {
  private long steps;

  /** Steps for one purpose, at most so many. */
  Steps atMost(int most) {
    return new Steps(most, this);
  }

  void add(int count) {
    steps += count;
  }

  /** How many. */
  long steps() {
    return steps;
  }
}
