package dev.mooring.manager.telemetry;

import java.util.Map;

/**
 * Metrics of watches.
 *
 * @param failures number of failed lists and watches by resource
 */
public record WatchMetrics(Map<String, Long> failures) implements MetricsSource {
  @Override
  public void addTo(MetricFamilies all) {
    MetricFamilies.Numbers failed =
        all.counter(
            "mooring_watch_failures", "Number of failed lists and watches; each is retried.");
    failures.forEach((resource, times) -> failed.put(times, "resource", resource));
  }
}
