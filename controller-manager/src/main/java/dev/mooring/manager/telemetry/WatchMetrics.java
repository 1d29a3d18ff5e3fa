package dev.mooring.manager.telemetry;

import java.util.Map;

/** Metrics of the caches' lists and watches. */
final class WatchMetrics {
  private WatchMetrics() {}

  /**
   * Adds the failures; a resource without failures has the value 0.
   *
   * @param failures by resource
   */
  static void add(MetricFamilies all, Map<String, Long> failures) {
    MetricFamilies.Numbers failed =
        all.counter(
            "mooring_watch_failures", "Number of failed lists and watches; each is retried.");
    failures.forEach((resource, times) -> failed.put(times, "resource", resource));
  }
}
