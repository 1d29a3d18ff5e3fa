package dev.mooring.it.sim;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Defines the controllers that a {@link Simulation} runs, the other actors on its cluster, and the
 * invariants at every write and call and at the end.
 */
interface Workload {
  /**
   * The rates of a schedule.
   *
   * @param steps steps before the calm end
   * @param acts how many of 10,000 steps are {@link #act()}
   * @param crashes in how many of 10,000 steps a process crashes; three times as many with late
   *     writes
   * @param chain number of queues that an object passes through after an outage
   */
  record Pace(int steps, int acts, int crashes, int chain) {}

  Pace pace();

  /** Returns the controllers of a process that starts, and its access to the world. */
  SimProcess.Program program(Object process);

  /** Returns whether two processes may act at once, without leader election. */
  default boolean mayRunTwice() {
    return false;
  }

  /** Returns whether a standby may go wrong that misses all events of that kind. */
  default boolean matters(Kind<?> kind) {
    return true;
  }

  /** Returns whether the server may be restored from a backup. */
  default boolean mayBeRestored() {
    return false;
  }

  /** The server was restored, and forgot what was created since the backup. */
  default void restored() {}

  /** Lets one other actor take one step. */
  void act();

  /** Lets one other actor take one step while the server answers no client. */
  default void actInOutage() {}

  /**
   * Lets all other actors do what they can, without faults.
   *
   * @return whether any of them did something
   */
  boolean play();

  /** Checks the invariants after a step. */
  default void check() {}

  /** Ends all faults. */
  default void calm() {}

  /**
   * Returns the fault of a call.
   *
   * @param drawn the fault that the schedule drew
   */
  default Fault fault(String what, Fault drawn) {
    return drawn;
  }

  /** Lets another client's write overtake a write of a process. */
  default void overtake(Kind<?> kind, ObjectKey key) {}

  /**
   * Delays the answer to a read.
   *
   * @param nanos called with each part of the delay, between which other actors may act
   */
  default void readSlowly(Kind<?> kind, LongConsumer nanos) {}

  /**
   * Checks a write that the server accepted.
   *
   * @param before null for a creation
   */
  <T extends Resource> void written(T before, WriteResult<T> result);

  /** Checks an event that a controller emitted. */
  default void event(ClusterEvent event) {}

  /** A process ended and lost its memory; another one starts. */
  default void crashed() {}

  /** Runs the calm end of the schedule, and checks the final state. */
  void end();

  /** Returns how often the schedule's faults and actions occurred. */
  Map<String, Long> counts();

  /** Returns the least average of each count over the schedules; fewer prove nothing. */
  Map<String, Double> least();
}
