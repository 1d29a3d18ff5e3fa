package dev.mooring.manager.telemetry;

import java.util.Map;

/**
 * Metrics of watches.
 *
 * @param failures number of failed lists and watches by resource
 */
public record WatchMetrics(Map<String, Long> failures) implements MetricsSource {
  @Override
  public void addTo(MetricFamilies families) {
    MetricFamilies.Numbers counter =
        families.counter(
            "mooring_watch_failures", "Number of failed lists and watches; each is retried.");
    failures.forEach((resource, count) -> counter.put(count, "resource", resource));
  }
}
