package dev.mooring.benchmarks.cluster;

import dev.mooring.benchmarks.Await;
import java.io.IOException;
import java.util.Arrays;

/** Somebody looks again and again which units have come to their goals. */
final class Looking {
  /** A look goes through all that is not done, on the cores that are measured. */
  private static final Await LOOKS = Await.of(10, 60);

  /** What {@link #await} tells of a unit that never comes to its goal. */
  static final long NEVER = Long.MAX_VALUE;

  /** Something that has to be so meanwhile. */
  @FunctionalInterface
  interface Condition {
    void check() throws IOException;
  }

  private final Work work;
  private final TestCluster cluster;
  private final Condition condition;

  Looking(Work work, TestCluster cluster, Condition condition) {
    this.work = work;
    this.cluster = cluster;
    this.condition = condition;
  }

  /**
   * When each of so many units from that one on came to its goal, by {@link System#nanoTime}; until
   * all have, or none has for a minute.
   */
  long[] await(int from, int count) throws IOException, InterruptedException {
    long[] done = new long[count];
    Arrays.fill(done, NEVER);
    LOOKS.noneLeft(() -> {
      condition.check();
      int left = 0;
      for (int i = 0; i < count; i++) {
        if (done[i] == NEVER && work.isDone(cluster, from + i)) {
          done[i] = System.nanoTime();
        }
        left += done[i] == NEVER ? 1 : 0;
      }
      return left;
    });
    return done;
  }
}
