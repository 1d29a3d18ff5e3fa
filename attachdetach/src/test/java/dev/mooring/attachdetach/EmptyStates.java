package dev.mooring.attachdetach;

import dev.mooring.attachdetach.execute.StateOfWorld;
import dev.mooring.attachdetach.observe.ActualStateUpdater;
import dev.mooring.attachdetach.observe.DesiredStateOfWorld;

/** Both worlds as the controller puts them together, for tests of what operations do with them. */
public final class EmptyStates {
  private final StateStores worlds = StateStores.empty();

  /** What is wanted. */
  public DesiredStateOfWorld desired() {
    return worlds.desired();
  }

  /** What is attached. */
  public ActualStateUpdater actual() {
    return worlds.actual();
  }

  /** What operations see of both. */
  public StateOfWorld state() {
    return worlds.state();
  }
}
