package dev.mooring.binder.state;

/** Total of all steps taken. Not thread-safe: the reservations' lock guards it. */
final class StepCounter {
  private long steps;

  StepBudget atMost(int most) {
    return new StepBudget(most, this);
  }

  void add(int count) {
    steps += count;
  }

  long steps() {
    return steps;
  }
}
