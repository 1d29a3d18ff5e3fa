package dev.mooring.it.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Fault: writes that reach the API server late. Their process was killed, or gave up waiting for
 * the response, after it had sent them.
 */
final class LateWrites {
  private final Random random;
  private final boolean enabled;
  private final boolean fromRunningProcesses;
  private final Consumer<String> history;
  private final List<Runnable> writes = new ArrayList<>();

  /**
   * Creates the queue of late writes.
   *
   * @param mode decides whether there are late writes at all, and whether they may come from
   *     processes that still run
   * @param history receives a line for the history
   */
  LateWrites(Random random, FaultMode mode, Consumer<String> history) {
    this.random = random;
    this.enabled = mode.hasLateWrites();
    this.fromRunningProcesses = mode == FaultMode.GIVEN_UP;
    this.history = history;
  }

  boolean isEnabled() {
    return enabled;
  }

  /**
   * Adds a write of a process that is killed while it sends it. Half of these writes were never
   * sent.
   */
  void addKilled(Runnable write) {
    if (enabled && random.nextBoolean()) {
      writes.add(write);
    }
  }

  /** Adds a write whose process no longer waits for the response. Half of these writes are lost. */
  void addTimedOut(Runnable write) {
    if (fromRunningProcesses && random.nextBoolean()) {
      writes.add(write);
    }
  }

  /** Delivers one write with a probability of 3 %. */
  void deliverSometimes() {
    if (!writes.isEmpty() && random.nextInt(100) < 3) {
      deliver(writes.remove(random.nextInt(writes.size())));
    }
  }

  /** Delivers all remaining writes. */
  void deliverAll() {
    writes.forEach(this::deliver);
    writes.clear();
  }

  private void deliver(Runnable write) {
    history.accept("a write arrives late");
    write.run();
  }
}
