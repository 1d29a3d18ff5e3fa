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

  private long[] since = new long[INITIAL_CAPACITY];
  private boolean[] isRunning = new boolean[INITIAL_CAPACITY];

  private int[] free = IntStream.range(0, INITIAL_CAPACITY).toArray();

  private int running;

  int start(long now) {
    if (running == since.length) {
      grow();
    }
    int timer = free[running++];
    since[timer] = now;
    isRunning[timer] = true;
    return timer;
  }

  private void grow() {
    int more = since.length * 2;
    free = IntStream.range(0, more).toArray();
    since = Arrays.copyOf(since, more);
    isRunning = Arrays.copyOf(isRunning, more);
  }

  void stop(int timer) {
    isRunning[timer] = false;
    free[--running] = timer;
  }

  int running() {
    return running;
  }

  List<Long> at(long now) {
    List<Long> all = new ArrayList<>(running);
    for (int timer = 0; timer < since.length; timer++) {
      if (isRunning[timer]) {
        all.add(now - since[timer]);
      }
    }
    return all;
  }
}
