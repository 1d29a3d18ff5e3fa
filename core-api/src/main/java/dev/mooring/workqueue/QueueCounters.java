package dev.mooring.workqueue;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a queue. All methods except {@link #ended} require the queue's lock. */
final class QueueCounters {
  private final DurationHistogram wait = new DurationHistogram();
  private final DurationHistogram work = new DurationHistogram();
  private final Map<KeyOutcome, LongAdder> ended = new EnumMap<>(KeyOutcome.class);
  private long adds;
  private long retries;

  QueueCounters() {
    for (KeyOutcome how : KeyOutcome.values()) {
      ended.put(how, new LongAdder());
    }
  }

  void added() {
    adds++;
  }

  long adds() {
    return adds;
  }

  void retried() {
    retries++;
  }

  void waited(long nanos) {
    wait.record(nanos);
  }

  void worked(long nanos) {
    work.record(nanos);
  }

  void ended(KeyOutcome how) {
    Objects.requireNonNull(ended.get(how)).increment();
  }

  QueueStats stats(String name, int depth, List<Long> running) {
    double unfinished = 0;
    double longest = 0;
    for (long nanos : running) {
      double seconds = nanos / 1e9;
      unfinished += seconds;
      longest = Math.max(longest, seconds);
    }
    Map<KeyOutcome, Long> ends = new EnumMap<>(KeyOutcome.class);
    ended.forEach((how, times) -> ends.put(how, times.sum()));
    return new QueueStats(
        name, depth, adds, retries, wait.copy(), work.copy(), unfinished, longest, ends);
  }
}
