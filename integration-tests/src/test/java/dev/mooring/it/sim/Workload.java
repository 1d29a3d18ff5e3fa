package dev.mooring.it.sim;

import dev.mooring.cluster.ClusterEvent;
import dev.mooring.cluster.WriteResult;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Which controllers a {@link Simulation} runs, who else acts on its cluster, and what must hold
 * there: at every write and call, and in the end.
 */
interface Workload {
  /**
   * How often what happens.
   *
   * @param steps how many steps a schedule has before all is well
   * @param acts how many of 10,000 steps are {@link #act()}
   * @param crashes in how many of 10,000 steps a process crashes; more often where late writes are
   *     looked for
   * @param chain how many queues do one after the other what an outage has held up
   */
  record Pace(int steps, int acts, int crashes, int chain) {}

  /** How often what happens. */
  Pace pace();

  /** The controllers of a process that starts, and what they reach the world by. */
  SimProcess.Program program(Object process);

  /** Whether two processes may run at once: nobody elects a leader. */
  default boolean mayRunTwice() {
    return false;
  }

  /** Whether a standby that hears nothing of that kind, but of others, may go wrong. */
  default boolean matters(Kind<?> kind) {
    return true;
  }

  /** Whether the server may be restored from a backup. */
  default boolean mayBeRestored() {
    return false;
  }

  /** The server has been restored: what was made since it knows nothing of. */
  default void restored() {}

  /** Somebody does something. */
  void act();

  /** Something happens while the server answers nobody. */
  default void actInOutage() {}

  /**
   * Everybody else does what there is to do, and fails at nothing.
   *
   * @return whether there was anything
   */
  boolean play();

  /** Looked at after every step: what must never be. */
  default void check() {}

  /** From now on nobody fails. */
  default void calm() {}

  /** What goes wrong with that call; drawn is what would. */
  default Fault fault(String what, Fault drawn) {
    return drawn;
  }

  /** A write of a process is about to reach the server: another client's write may come first. */
  default void overtake(Kind<?> kind, ObjectKey key) {}

  /**
   * The server answers a read of that kind slowly.
   *
   * @param nanos called with how long it takes before and after something happens in between
   */
  default void readSlowly(Kind<?> kind, LongConsumer nanos) {}

  /** The server took that write: before is null if there was nothing. */
  <T extends Resource> void written(T before, WriteResult<T> result);

  /** What the controllers tell. */
  default void event(ClusterEvent event) {}

  /** A process crashes, or has stopped: what it knew is gone, and another begins. */
  default void crashed() {}

  /** All steps are done: all becomes well, and what must be is looked at. */
  void end();

  /** How often what happened that a schedule is played for. */
  Map<String, Long> counts();

  /** How often that happens in a schedule at the least, on average: less proves nothing. */
  Map<String, Double> least();
}
