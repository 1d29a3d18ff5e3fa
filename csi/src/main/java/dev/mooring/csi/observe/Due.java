package dev.mooring.csi.observe;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * At which places a class's room is to be asked about: at all, unless only some were named since it
 * was asked the last time. Thread-safe.
 */
public final class Due {
  private final Duration period;
  private final Map<String, Long> last = new HashMap<>(); // when all of them were asked about
  private final Map<String, Optional<Set<Map<String, String>>>> places = new HashMap<>();

  public Due(Duration period) {
    this.period = period;
  }

  /** At all of them. */
  public synchronized void everywhere(String className) {
    places.put(className, Optional.empty());
  }

  /** At these too; empty for at all of them. */
  public synchronized void at(String className, Optional<Set<Map<String, String>>> some) {
    Optional<Set<Map<String, String>>> known = places.get(className);
    if (known == null) {
      places.put(className, some);
    } else if (known.isPresent() && some.isPresent()) {
      Set<Map<String, String>> both = new HashSet<>(known.get());
      both.addAll(some.get());
      places.put(className, Optional.of(Set.copyOf(both)));
    } else {
      places.put(className, Optional.empty());
    }
  }

  /**
   * Takes them.
   *
   * @param now nanoseconds of a monotonic clock
   * @return empty for at all of them: so too if nothing was named, and once in every period
   */
  public synchronized Optional<Set<Map<String, String>>> take(String className, long now) {
    Optional<Set<Map<String, String>>> taken = places.remove(className);
    if (taken != null && taken.isPresent() && left(className, now).isPositive()) {
      return taken;
    }
    last.put(className, now);
    return Optional.empty();
  }

  /** The class is gone. */
  public synchronized void forget(String className) {
    last.remove(className);
    places.remove(className);
  }

  /** How long until all of them are due. */
  public synchronized Duration left(String className, long now) {
    Long then = last.get(className);
    return then == null ? Duration.ZERO : period.minusNanos(now - then);
  }
}
