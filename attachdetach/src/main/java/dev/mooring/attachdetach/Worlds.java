package dev.mooring.attachdetach;

import dev.mooring.attachdetach.execute.ActualState;
import dev.mooring.attachdetach.execute.DesiredState;
import dev.mooring.attachdetach.execute.State;
import dev.mooring.attachdetach.observe.ActualStateUpdater;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;

/**
 * Both worlds, and what operations see of them: those who know and those who act do not know each
 * other.
 *
 * @param desired what is wanted
 * @param actual what is
 */
record Worlds(Desired desired, Actual actual) {
  /** What is wanted, as those see it who act. */
  static final class Desired extends DesiredStateOfWorld implements DesiredState {}

  /** What is, as those see it who act. */
  static final class Actual extends ActualStateUpdater implements ActualState {}

  /** Nothing is wanted, and nothing is attached. */
  static Worlds empty() {
    return new Worlds(new Desired(), new Actual());
  }

  State state() {
    return new State(desired, actual);
  }
}
