package dev.mooring.manager.telemetry;

/** Metrics of one part of the process. Thread-safe. */
@FunctionalInterface
public interface MetricsSource {
  /** Adds the current values; called for each scrape. */
  void addTo(MetricFamilies all);
}
