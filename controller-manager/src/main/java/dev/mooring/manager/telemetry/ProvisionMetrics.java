package dev.mooring.manager.telemetry;

import dev.mooring.operation.OperationStats.Durations;
import dev.mooring.provisioner.ProvisionControllers;
import java.util.List;

/** Metrics of the external-provisioner library, with its names. */
final class ProvisionMetrics {
  private ProvisionMetrics() {}

  static void add(MetricFamilies families, List<Durations> durations) {
    addOperation(
        families,
        "controller_persistentvolumeclaim_provision",
        "persistent volumes provisioned",
        durations.stream()
            .filter(f -> f.labels().operation().equals(ProvisionControllers.PROVISION))
            .toList());
    addOperation(
        families,
        "controller_persistentvolume_delete",
        "persistent volumes deleted",
        durations.stream()
            .filter(f -> f.labels().operation().equals(ProvisionControllers.DELETE))
            .toList());
  }

  private static void addOperation(
      MetricFamilies families, String name, String description, List<Durations> durations) {
    MetricFamilies.Numbers succeeded =
        families.counter(name, "Total number of " + description + " successfully.");
    MetricFamilies.Numbers failed =
        families.counter(
            name + "_failed", "Total number of attempts that failed: " + description + ".");
    MetricFamilies.Histograms seconds =
        families.histogram(
            name + "_duration_seconds",
            "Latency in seconds: " + description + ".",
            ProvisionControllers.BOUNDS);
    for (Durations operation : durations) {
      String className = operation.labels().plugin();
      String[] labels =
          name.endsWith("_provision")
              ? new String[] {"class", className, "source", operation.labels().source()}
              : new String[] {"class", className};
      if (operation.labels().succeeded()) {
        succeeded.put(operation.total(), labels);
        seconds.put(operation.counts(), operation.sumSeconds(), labels);
      } else {
        failed.put(operation.total(), labels);
      }
    }
  }
}
