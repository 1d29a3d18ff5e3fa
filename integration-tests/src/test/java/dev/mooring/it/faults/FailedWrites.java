package dev.mooring.it.faults;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Failed writes that clients may retry. A later request for the object, or ten seconds, remove an
 * entry. Thread-safe.
 */
final class FailedWrites {
  private static final long MAX_AGE = Duration.ofSeconds(10).toNanos();

  private final Map<String, Long> failureTimes = new HashMap<>(); // by path

  synchronized void record(ProxiedRequest request, boolean isFaulted) {
    if (isFaulted && request.isWrite() && !request.resource().equals("events")) {
      failureTimes.put(request.path(), System.nanoTime());
    } else if (!isFaulted) {
      failureTimes.remove(request.path());
    }
  }

  synchronized boolean isEmpty() {
    long now = System.nanoTime();
    failureTimes.values().removeIf(failureTime -> now - failureTime > MAX_AGE);
    return failureTimes.isEmpty();
  }

  @Override
  public synchronized String toString() {
    return failureTimes.keySet().toString();
  }
}
