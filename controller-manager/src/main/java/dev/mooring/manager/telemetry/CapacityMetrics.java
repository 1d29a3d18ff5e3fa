package dev.mooring.manager.telemetry;

import dev.mooring.csi.CapacityCount;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Map;

/** CSIStorageCapacity objects, under external-provisioner's names. */
final class CapacityMetrics {
  private CapacityMetrics() {}

  /**
   * Adds what there is.
   *
   * @param counts by driver
   */
  static void add(MetricSnapshots.Builder all, Map<String, CapacityCount> counts) {
    GaugeSnapshot.Builder goal =
        GaugeSnapshot.builder()
            .name("csistoragecapacities_desired_goal")
            .help(
                "Number of CSIStorageCapacity objects that are supposed to be managed automatically.");
    GaugeSnapshot.Builder current =
        GaugeSnapshot.builder()
            .name("csistoragecapacities_desired_current")
            .help(
                "Number of CSIStorageCapacity objects that exist and are supposed to be managed automatically.");
    GaugeSnapshot.Builder obsolete =
        GaugeSnapshot.builder()
            .name("csistoragecapacities_obsolete")
            .help(
                "Number of CSIStorageCapacity objects that exist and will be deleted automatically.");
    counts.forEach((driver, count) -> {
      Labels labels = Labels.of("driver_name", driver);
      goal.dataPoint(Points.gauge(labels, count.goal()));
      current.dataPoint(Points.gauge(labels, count.current()));
      obsolete.dataPoint(Points.gauge(labels, count.obsolete()));
    });
    all.metricSnapshot(goal.build())
        .metricSnapshot(current.build())
        .metricSnapshot(obsolete.build());
  }
}
