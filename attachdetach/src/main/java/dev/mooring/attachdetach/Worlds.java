package dev.mooring.attachdetach;

import dev.mooring.attachdetach.execute.ActualState;
import dev.mooring.attachdetach.execute.DesiredState;
import dev.mooring.attachdetach.execute.State;
import dev.mooring.attachdetach.observe.ActualStateUpdater;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;

/**
 * The desired and the actual state of world, also as the interfaces that {@code execute} declares.
 * {@code observe} and {@code execute} do not depend on each other.
 */
record Worlds(Desired desired, Actual actual) {
  static final class Desired extends DesiredStateOfWorld implements DesiredState {}

  static final class Actual extends ActualStateUpdater implements ActualState {}

  static Worlds empty() {
    return new Worlds(new Desired(), new Actual());
  }

  State state() {
    return new State(desired, actual);
  }
}
