package dev.mooring.manager.telemetry;

import java.util.Map;

final class WatchMetrics {
  private WatchMetrics() {}

  static void add(MetricFamilies all, Map<String, Long> failures) {
    MetricFamilies.Numbers failed =
        all.counter(
            "mooring_watch_failures", "Number of failed lists and watches; each is retried.");
    failures.forEach((resource, times) -> failed.put(times, "resource", resource));
  }
}
