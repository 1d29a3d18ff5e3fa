package dev.mooring.workqueue;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a queue. All methods except {@link #countOutcome} require the queue's lock. */
final class QueueCounters {
  private final DurationHistogram queuedTime = new DurationHistogram();
  private final DurationHistogram processingTime = new DurationHistogram();
  private final Map<KeyOutcome, LongAdder> outcomes = new EnumMap<>(KeyOutcome.class);
  private long adds;
  private long retries;

  QueueCounters() {
    for (KeyOutcome outcome : KeyOutcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
  }

  void countAdd() {
    adds++;
  }

  long adds() {
    return adds;
  }

  void countRetry() {
    retries++;
  }

  void recordQueuedTime(long nanos) {
    queuedTime.record(nanos);
  }

  void recordProcessingTime(long nanos) {
    processingTime.record(nanos);
  }

  void countOutcome(KeyOutcome outcome) {
    Objects.requireNonNull(outcomes.get(outcome)).increment();
  }

  QueueStats stats(String name, int depth, List<Long> elapsedNanos) {
    double unfinishedSeconds = 0;
    double longestSeconds = 0;
    for (long nanos : elapsedNanos) {
      double seconds = nanos / 1e9;
      unfinishedSeconds += seconds;
      longestSeconds = Math.max(longestSeconds, seconds);
    }
    Map<KeyOutcome, Long> counts = new EnumMap<>(KeyOutcome.class);
    outcomes.forEach((outcome, count) -> counts.put(outcome, count.sum()));
    return new QueueStats(
        name,
        depth,
        adds,
        retries,
        queuedTime.copy(),
        processingTime.copy(),
        unfinishedSeconds,
        longestSeconds,
        counts);
  }
}
