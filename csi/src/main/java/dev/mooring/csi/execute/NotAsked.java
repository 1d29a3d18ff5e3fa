package dev.mooring.csi.execute;

import dev.mooring.operation.VolumeService.Making;
import dev.mooring.operation.VolumeService.Plan;
import dev.mooring.operation.VolumeService.State;

/** A request that was given up before the driver was asked. */
final class NotAsked extends Exception {
  private static final long serialVersionUID = 1L;
  private final State state;

  NotAsked(State state, String why) {
    super(why, null, false, false);
    this.state = state;
  }

  /**
   * What is to be done: what is finished stays so as long as claim, class and driver are what they
   * are.
   *
   * @param told why, for people
   */
  Plan plan(String told) {
    return state == State.FINISHED
        ? new Plan.Never(told)
        : new Plan.Not(new Making.Failed(state, false, told));
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
