package dev.mooring.manager.telemetry;

import dev.mooring.operation.OperationStats.Durations;
import dev.mooring.provisioner.ProvisionController;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;

/** The provisioner library's metrics, by its names (spec/provisioner-lib.md 6). */
final class ProvisionMetrics {
  private ProvisionMetrics() {}

  static void add(MetricSnapshots.Builder all, List<Durations> figures) {
    ofLibrary(
        all,
        "controller_persistentvolumeclaim_provision",
        "persistent volumes provisioned",
        figures.stream()
            .filter(f -> f.sort().operation().equals(ProvisionController.PROVISION))
            .toList());
    ofLibrary(
        all,
        "controller_persistentvolume_delete",
        "persistent volumes deleted",
        figures.stream()
            .filter(f -> f.sort().operation().equals(ProvisionController.DELETE))
            .toList());
  }

  private static void ofLibrary(
      MetricSnapshots.Builder all, String name, String what, List<Durations> figures) {
    CounterSnapshot.Builder total =
        CounterSnapshot.builder().name(name).help("Total number of " + what + " successfully.");
    CounterSnapshot.Builder failed =
        CounterSnapshot.builder()
            .name(name + "_failed")
            .help("Total number of attempts that failed: " + what + ".");
    HistogramSnapshot.Builder took =
        HistogramSnapshot.builder()
            .name(name + "_duration_seconds")
            .help("Latency in seconds: " + what + ".");
    for (Durations one : figures) {
      String className = one.sort().plugin();
      Labels labels =
          name.endsWith("_provision")
              ? Labels.of("class", className, "source", "")
              : Labels.of("class", className);
      if (one.sort().succeeded()) {
        total.dataPoint(Points.counted(labels, one.total()));
        took.dataPoint(
            Points.histogram(labels, ProvisionController.BOUNDS, one.counts(), one.sumSeconds()));
      } else {
        failed.dataPoint(Points.counted(labels, one.total()));
      }
    }
    all.metricSnapshot(total.build()).metricSnapshot(failed.build()).metricSnapshot(took.build());
  }
}
