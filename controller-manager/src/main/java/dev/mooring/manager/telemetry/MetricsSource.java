package dev.mooring.manager.telemetry;

/** Metrics of one part of the process. Thread-safe. */
@FunctionalInterface
public interface MetricsSource {
  void addTo(MetricFamilies families);
}
