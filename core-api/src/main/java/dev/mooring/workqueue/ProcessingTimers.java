package dev.mooring.workqueue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * For how long each of some keys is being processed. Numbers only: to take a key and to be done
 * with it then writes no reference, of which a collector would have to hear. Not thread-safe: the
 * queue's lock guards it.
 */
final class Clocks {
  private static final int FEW = 8;

  private long[] since = new long[FEW];
  private boolean[] runs = new boolean[FEW];

  /** Those that do not run, behind as many places as there are that run. */
  private int[] stopped = IntStream.range(0, FEW).toArray();

  private int running;

  /** Starts one at that moment; which one it is. */
  int start(long now) {
    if (running == since.length) {
      grow();
    }
    int clock = stopped[running++];
    since[clock] = now;
    runs[clock] = true;
    return clock;
  }

  private void grow() {
    int more = since.length * 2;
    stopped = IntStream.range(0, more).toArray();
    since = Arrays.copyOf(since, more);
    runs = Arrays.copyOf(runs, more);
  }

  /** Stops the one that was started so. */
  void stop(int clock) {
    runs[clock] = false;
    stopped[--running] = clock;
  }

  /** How many run. */
  int running() {
    return running;
  }

  /** For how many nanoseconds each has been running at that moment. */
  List<Long> at(long now) {
    List<Long> all = new ArrayList<>(running);
    for (int clock = 0; clock < since.length; clock++) {
      if (runs[clock]) {
        all.add(now - since[clock]);
      }
    }
    return all;
  }
}
