package dev.mooring.manager.telemetry;

import dev.mooring.operation.OperationStats.Durations;
import dev.mooring.provisioner.ProvisionControllers;
import java.util.List;

/** Metrics of the external-provisioner library, with its names (spec/provisioner-lib.md 6). */
final class ProvisionMetrics {
  private ProvisionMetrics() {}

  static void add(MetricFamilies all, List<Durations> durations) {
    ofLibrary(
        all,
        "controller_persistentvolumeclaim_provision",
        "persistent volumes provisioned",
        durations.stream()
            .filter(f -> f.sort().operation().equals(ProvisionControllers.PROVISION))
            .toList());
    ofLibrary(
        all,
        "controller_persistentvolume_delete",
        "persistent volumes deleted",
        durations.stream()
            .filter(f -> f.sort().operation().equals(ProvisionControllers.DELETE))
            .toList());
  }

  private static void ofLibrary(
      MetricFamilies all, String name, String what, List<Durations> durations) {
    MetricFamilies.Numbers total = all.counter(name, "Total number of " + what + " successfully.");
    MetricFamilies.Numbers failed =
        all.counter(name + "_failed", "Total number of attempts that failed: " + what + ".");
    MetricFamilies.Histograms took =
        all.histogram(
            name + "_duration_seconds",
            "Latency in seconds: " + what + ".",
            ProvisionControllers.BOUNDS);
    for (Durations one : durations) {
      String className = one.sort().plugin();
      String[] labels =
          name.endsWith("_provision")
              ? new String[] {"class", className, "source", ""}
              : new String[] {"class", className};
      if (one.sort().succeeded()) {
        total.put(one.total(), labels);
        took.put(one.counts(), one.sumSeconds(), labels);
      } else {
        failed.put(one.total(), labels);
      }
    }
  }
}
