package dev.mooring.manager.telemetry;

import dev.mooring.operation.OperationStats.Durations;
import dev.mooring.populator.DataSourceValidator;
import dev.mooring.populator.PopulationController;

/** Metrics of Kubernetes' populator library and volume-data-source-validator, with their names. */
final class PopulatorMetrics {
  private PopulatorMetrics() {}

  static void add(
      MetricFamilies families, PopulationController populators, DataSourceValidator validator) {
    MetricFamilies.Histograms seconds =
        families.histogram(
            "volume_populator_operation_seconds",
            "Time from the prime claim until the user's claim has the filled volume, in seconds.",
            PopulationController.BOUNDS);
    for (Durations operation : populators.durations()) {
      if (operation.labels().succeeded()) {
        seconds.put(operation.counts(), operation.sumSeconds(), "result", "success");
      }
    }
    families
        .gauge(
            "volume_populator_operations_in_flight",
            "Number of volumes that populators are filling.")
        .put(populators.inFlight());
    MetricFamilies.Numbers checks =
        families.counter(
            "volume_data_source_validator_operation_count",
            "Number of checks of claims' data sources by result.");
    validator.counts().forEach((result, count) -> checks.put(count, "result", result));
  }
}
