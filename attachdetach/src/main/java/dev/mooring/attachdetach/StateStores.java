package dev.mooring.attachdetach;

import dev.mooring.attachdetach.execute.ActualState;
import dev.mooring.attachdetach.execute.DesiredState;
import dev.mooring.attachdetach.execute.StateOfWorld;
import dev.mooring.attachdetach.observe.ActualStateUpdater;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;

/**
 * The desired and the actual state of world, also as the interfaces that {@code execute} declares.
 * {@code observe} and {@code execute} do not depend on each other.
 */
record StateStores(DesiredStore desired, ActualStore actual) {
  static final class DesiredStore extends DesiredStateOfWorld implements DesiredState {}

  static final class ActualStore extends ActualStateUpdater implements ActualState {}

  static StateStores empty() {
    return new StateStores(new DesiredStore(), new ActualStore());
  }

  StateOfWorld state() {
    return new StateOfWorld(desired, actual);
  }
}
