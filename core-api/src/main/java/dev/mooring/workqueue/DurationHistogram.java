package dev.mooring.workqueue;

import java.util.Arrays;

/** Histogram of durations. Not thread-safe; guarded by the queue's lock. */
final class DurationHistogram {
  // bucket 0 ends at 10 ns; each further bucket is ten times wider
  private final long[] counts = new long[QueueStats.BOUNDS.size() + 1];
  private long sumNanos;

  void record(long nanos) {
    int bucket = 0;
    for (long bound = 10; nanos > bound && bucket < counts.length - 1; bound *= 10) {
      bucket++;
    }
    counts[bucket]++;
    sumNanos += nanos;
  }

  QueueStats.Histogram copy() {
    return new QueueStats.Histogram(Arrays.stream(counts).boxed().toList(), sumNanos / 1e9);
  }
}
