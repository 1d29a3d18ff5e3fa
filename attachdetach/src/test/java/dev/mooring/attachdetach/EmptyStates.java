package dev.mooring.attachdetach;

import dev.mooring.attachdetach.execute.StateOfWorld;
import dev.mooring.attachdetach.observe.ActualStateUpdater;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;

/** Desired and actual state of world, assembled like the controller's, for tests of operations. */
public final class EmptyStates {
  private final StateStores worlds = StateStores.empty();

  public DesiredStateOfWorld desired() {
    return worlds.desired();
  }

  public ActualStateUpdater actual() {
    return worlds.actual();
  }

  public StateOfWorld state() {
    return worlds.state();
  }
}
