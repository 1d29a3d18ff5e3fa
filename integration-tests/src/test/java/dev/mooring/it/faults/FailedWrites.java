package dev.mooring.it.faults;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Failed writes whose objects were not requested since: their client is waiting to retry. Entries
 * expire, since some failures are never retried. Thread-safe.
 */
final class FailedWrites {
  private static final long LONGEST = Duration.ofSeconds(10).toNanos();

  private final Map<String, Long> since = new HashMap<>(); // by path

  synchronized void asked(ProxiedRequest request, boolean wentWrong) {
    if (wentWrong && request.isWrite() && !request.resource().equals("events")) {
      since.put(request.path(), System.nanoTime());
    } else if (!wentWrong) {
      since.remove(request.path());
    }
  }

  synchronized boolean isEmpty() {
    long now = System.nanoTime();
    since.values().removeIf(then -> now - then > LONGEST);
    return since.isEmpty();
  }
}
