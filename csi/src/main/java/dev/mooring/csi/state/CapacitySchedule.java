package dev.mooring.csi.state;

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
  private final Map<String, Long> last = new HashMap<>(); // time of the last full update
  private final Map<String, Optional<Set<Map<String, String>>>> marked = new HashMap<>();

  public CapacitySchedule(Duration period) {
    this.period = period;
  }

  public synchronized void markAll(String className) {
    marked.put(className, Optional.empty());
  }

  public synchronized void mark(String className, Optional<Set<Map<String, String>>> segments) {
    Optional<Set<Map<String, String>>> known = marked.get(className);
    if (known == null) {
      marked.put(className, segments);
    } else if (known.isPresent() && segments.isPresent()) {
      Set<Map<String, String>> both = new HashSet<>(known.get());
      both.addAll(segments.get());
      marked.put(className, Optional.of(Set.copyOf(both)));
    } else {
      marked.put(className, Optional.empty());
    }
  }

  /**
   * Returns and clears the marked segments.
   *
   * @param now nanoseconds of the monotonic clock
   * @return empty for all segments: also without a mark, and once in every period
   */
  public synchronized Optional<Set<Map<String, String>>> take(String className, long now) {
    Optional<Set<Map<String, String>>> taken = marked.remove(className);
    if (taken != null && taken.isPresent() && untilFullUpdate(className, now).isPositive()) {
      return taken;
    }
    last.put(className, now);
    return Optional.empty();
  }

  public synchronized void forget(String className) {
    last.remove(className);
    marked.remove(className);
  }

  public synchronized Duration untilFullUpdate(String className, long now) {
    Long lastUpdate = last.get(className);
    return lastUpdate == null ? Duration.ZERO : period.minusNanos(now - lastUpdate);
  }
}
