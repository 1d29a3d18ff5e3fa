package dev.mooring.workqueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Start times of the keys in processing. Uses arrays of primitives, because references would cost a
 * garbage collector's write barrier per key. Not thread-safe; guarded by the queue's lock.
 */
final class ProcessingTimers {
  private static final int INITIAL_CAPACITY = 8;

  private long[] startNanos = new long[INITIAL_CAPACITY];
  private boolean[] isRunning = new boolean[INITIAL_CAPACITY];

  private int[] freeTimers = IntStream.range(0, INITIAL_CAPACITY).toArray();

  private int runningCount;

  int start(long now) {
    if (runningCount == startNanos.length) {
      grow();
    }
    int timer = freeTimers[runningCount++];
    startNanos[timer] = now;
    isRunning[timer] = true;
    return timer;
  }

  private void grow() {
    int capacity = startNanos.length * 2;
    freeTimers = IntStream.range(0, capacity).toArray();
    startNanos = Arrays.copyOf(startNanos, capacity);
    isRunning = Arrays.copyOf(isRunning, capacity);
  }

  void stop(int timer) {
    isRunning[timer] = false;
    freeTimers[--runningCount] = timer;
  }

  int runningCount() {
    return runningCount;
  }

  List<Long> elapsedNanos(long now) {
    List<Long> elapsed = new ArrayList<>(runningCount);
    for (int timer = 0; timer < startNanos.length; timer++) {
      if (isRunning[timer]) {
        elapsed.add(now - startNanos[timer]);
      }
    }
    return elapsed;
  }
}
