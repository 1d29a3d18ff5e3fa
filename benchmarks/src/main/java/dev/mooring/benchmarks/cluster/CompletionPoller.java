package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.PollingWait;
import java.io.IOException;
import java.util.Arrays;

/** Polls the cache for the time at which each unit is done. */
final class CompletionPoller {
  // Interval and timeout of a poll. A poll uses the CPUs that are measured, so it must be rare.
  private static final PollingWait POLL = PollingWait.of(10, 60);

  static final long NEVER = Long.MAX_VALUE;

  /** A check that runs with each poll and throws to abort the wait. */
  @FunctionalInterface
  interface PollCheck {
    void check() throws IOException;
  }

  private final ClusterWork work;
  private final TestCluster cluster;
  private final PollCheck condition;

  CompletionPoller(ClusterWork work, TestCluster cluster, PollCheck condition) {
    this.work = work;
    this.cluster = cluster;
    this.condition = condition;
  }

  /**
   * Waits until all units are done, or until none has been done for a minute.
   *
   * @return for each unit the {@link System#nanoTime} at which it was done, or {@link #NEVER}
   */
  long[] await(int firstUnit, int count) throws IOException, InterruptedException {
    long[] doneAt = new long[count];
    Arrays.fill(doneAt, NEVER);
    POLL.awaitZero(() -> {
      condition.check();
      int remaining = 0;
      for (int i = 0; i < count; i++) {
        if (doneAt[i] == NEVER && work.isDone(cluster, firstUnit + i)) {
          doneAt[i] = System.nanoTime();
        }
        remaining += doneAt[i] == NEVER ? 1 : 0;
      }
      return remaining;
    });
    return doneAt;
  }
}
