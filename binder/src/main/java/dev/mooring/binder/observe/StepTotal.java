package dev.mooring.binder.observe;

/** Total of all steps taken. Not thread-safe: the reservations' lock guards it. */
final class StepTotal {
  private long steps;

  Steps atMost(int most) {
    return new Steps(most, this);
  }

  void add(int count) {
    steps += count;
  }

  long steps() {
    return steps;
  }
}
