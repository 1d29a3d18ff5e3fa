package dev.mooring.csi.state;

import dev.mooring.workqueue.Backoff;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Segments for which each class needs a GetCapacity call: all, unless changes since the last call
 * were limited to some. Thread-safe.
 */
public final class CapacitySchedule {
  private final Duration period;
  private final Backoff<String> refusals; // by class
  private final Map<String, Long> lastFullUpdates = new HashMap<>(); // time of the last full update
  private final Map<String, Optional<Set<Map<String, String>>>> markedSegments = new HashMap<>();

  public CapacitySchedule(Duration period, Backoff<String> refusals) {
    this.period = period;
    this.refusals = refusals;
  }

  public synchronized void markAll(String className) {
    markedSegments.put(className, Optional.empty());
  }

  public synchronized void mark(String className, Optional<Set<Map<String, String>>> segments) {
    Optional<Set<Map<String, String>>> earlier = markedSegments.get(className);
    if (earlier == null) {
      markedSegments.put(className, segments);
    } else if (earlier.isPresent() && segments.isPresent()) {
      Set<Map<String, String>> union = new HashSet<>(earlier.get());
      union.addAll(segments.get());
      markedSegments.put(className, Optional.of(Set.copyOf(union)));
    } else {
      markedSegments.put(className, Optional.empty());
    }
  }

  /**
   * Returns and clears the marked segments.
   *
   * @param now nanoseconds of the monotonic clock
   * @return empty for all segments: also without a mark, and once in every period
   */
  public synchronized Optional<Set<Map<String, String>>> takeSegments(String className, long now) {
    Optional<Set<Map<String, String>>> segments = markedSegments.remove(className);
    if (segments != null && segments.isPresent() && untilFullUpdate(className, now).isPositive()) {
      return segments;
    }
    lastFullUpdates.put(className, now);
    return Optional.empty();
  }

  // Marks the segments that the driver refused. Returns the delay until the next update: after the
  // back-off of these segments, at the latest when all segments are due.
  public synchronized Duration completeUpdate(
      String className, Set<Map<String, String>> refusedSegments, long now) {
    Duration untilFullUpdate = untilFullUpdate(className, now);
    if (refusedSegments.isEmpty()) {
      refusals.forget(className);
      return untilFullUpdate;
    }
    mark(className, Optional.of(refusedSegments));
    return untilFullUpdate.isPositive()
        ? refusals.nextDelay(className, untilFullUpdate)
        : untilFullUpdate;
  }

  public synchronized void forget(String className) {
    refusals.forget(className);
    lastFullUpdates.remove(className);
    markedSegments.remove(className);
  }

  public synchronized Duration untilFullUpdate(String className, long now) {
    Long lastUpdate = lastFullUpdates.get(className);
    return lastUpdate == null ? Duration.ZERO : period.minusNanos(now - lastUpdate);
  }
}
