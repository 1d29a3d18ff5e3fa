package dev.mooring.manager.telemetry;

import java.util.Map;

/** Lists and watches by which the caches know the cluster. */
final class WatchMetrics {
  private WatchMetrics() {}

  /**
   * Adds what failed; a resource of which nothing has failed is told too.
   *
   * @param failures by resource
   */
  static void add(Families all, Map<String, Long> failures) {
    Families.Numbers failed =
        all.counter(
            "mooring_watch_failures",
            "Lists and watches of the API server that failed, and were tried again.");
    failures.forEach((resource, times) -> failed.put(times, "resource", resource));
  }
}
