package dev.mooring.csi.execute;

import dev.mooring.operation.VolumeService.State;

/** A request that was given up before the driver was asked. */
final class NotAsked extends Exception {
  private static final long serialVersionUID = 1L;
  private final State state;

  NotAsked(State state, String why) {
    super(why, null, false, false);
    this.state = state;
  }

  /** What may be going on nevertheless. */
  State state() {
    return state;
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
