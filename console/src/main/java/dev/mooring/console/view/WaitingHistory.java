package dev.mooring.console.view;

import dev.mooring.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Number of waiting claims in each minute of the last hour, since the console started. Thread-safe.
 */
public final class WaitingHistory {
  private static final long SLOT = Duration.ofMinutes(1).toNanos();
  private static final int SLOTS = 60;

  private record Sample(long slot, int count) {}

  private final Time time;
  private final long start;
  private final Deque<Sample> samples = new ArrayDeque<>(); // at most one for each slot

  public WaitingHistory(Time time) {
    this.time = time;
    this.start = time.nanos();
  }

  private long currentSlot() {
    return (time.nanos() - start) / SLOT;
  }

  synchronized void record(int count) {
    long slot = currentSlot();
    if (!samples.isEmpty() && samples.getLast().slot() == slot) {
      samples.removeLast();
    }
    samples.addLast(new Sample(slot, count));
    while (samples.size() > 1 && samples.getFirst().slot() < slot - SLOTS) {
      samples.removeFirst();
    }
  }

  /**
   * Returns one number for each minute, the oldest first, 60 at most. A minute without a change has
   * the number of the minute before.
   */
  public synchronized List<Integer> read() {
    List<Integer> counts = new ArrayList<>();
    if (samples.isEmpty()) {
      return counts;
    }
    long last = currentSlot();
    long first = Math.max(last - SLOTS + 1, samples.getFirst().slot());
    int count = samples.getFirst().count();
    List<Sample> rest = new ArrayList<>(samples);
    int next = 0;
    for (long slot = first; slot <= last; slot++) {
      while (next < rest.size() && rest.get(next).slot() <= slot) {
        count = rest.get(next++).count();
      }
      counts.add(count);
    }
    return counts;
  }
}
