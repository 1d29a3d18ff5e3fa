package dev.mooring.manager.telemetry;

import dev.mooring.attachdetach.AttachDetachMetrics;
import dev.mooring.binder.BinderMetrics;
import dev.mooring.operation.OperationStats;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What was done with volumes, under Kubernetes' names. */
final class StorageMetrics {
  private final BinderMetrics binder;
  private final AttachDetachMetrics attachDetach;
  private final OperationStats expander;
  private final Supplier<List<OperationStats.Durations>> csi;
  private final Supplier<List<OperationStats.Durations>> provisioned;

  StorageMetrics(
      BinderMetrics binder,
      AttachDetachMetrics attachDetach,
      OperationStats expander,
      Supplier<List<OperationStats.Durations>> csi,
      Supplier<List<OperationStats.Durations>> provisioned) {
    this.provisioned = provisioned;
    this.csi = csi;
    this.binder = binder;
    this.attachDetach = attachDetach;
    this.expander = expander;
  }

  void add(MetricSnapshots.Builder all) {
    List<OperationStats.Durations> calls = new ArrayList<>(binder.calls().read());
    calls.addAll(attachDetach.operations().read());
    calls.addAll(expander.read());
    all.metricSnapshot(calls(calls));
    all.metricSnapshot(wholes(binder.wholes().read()));
    all.metricSnapshot(sidecars(csi.get()));
    ProvisionMetrics.add(all, provisioned.get());
    errors(all);
    all.metricSnapshot(
        Points.counter(
            "retroactive_storageclass",
            "Total number of PVCs that were given the default StorageClass afterwards",
            binder.defaultedClaims()));
    all.metricSnapshot(
        Points.counter(
            "retroactive_storageclass_errors",
            "Total number of failed attempts to give PVCs the default StorageClass afterwards",
            binder.failedDefaults()));
    attached(all);
  }

  private static HistogramSnapshot calls(List<OperationStats.Durations> all) {
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder()
            .name("storage_operation_duration_seconds")
            .help("Storage operation duration");
    for (OperationStats.Durations one : all) {
      OperationStats.Sort sort = one.sort();
      histogram.dataPoint(
          point(
              one,
              Labels.of(
                  "migrated",
                  Boolean.toString(sort.migrated()),
                  "operation_name",
                  sort.operation(),
                  "status",
                  sort.succeeded() ? "success" : "fail-unknown",
                  "volume_plugin",
                  sort.plugin())));
    }
    return histogram.build();
  }

  private static HistogramSnapshot wholes(List<OperationStats.Durations> all) {
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder()
            .name("volume_operation_total_seconds")
            .help("Storage operation end to end duration in seconds");
    for (OperationStats.Durations one : all) {
      histogram.dataPoint(
          point(
              one,
              Labels.of(
                  "operation_name", one.sort().operation(), "plugin_name", one.sort().plugin())));
    }
    return histogram.build();
  }

  private static HistogramSnapshot sidecars(List<OperationStats.Durations> all) {
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder()
            .name("csi_sidecar_operations_seconds")
            .help(
                "Container Storage Interface operation duration with gRPC error code status total");
    for (OperationStats.Durations one : all) {
      String[] methodAndCode = one.sort().operation().split(" ");
      histogram.dataPoint(
          point(
              one,
              Labels.of(
                  "driver_name",
                  one.sort().plugin(),
                  "grpc_status_code",
                  methodAndCode[1],
                  "method_name",
                  "/csi.v1.Controller/" + methodAndCode[0],
                  "migrated",
                  "false")));
    }
    return histogram.build();
  }

  private static HistogramSnapshot.HistogramDataPointSnapshot point(
      OperationStats.Durations durations, Labels labels) {
    return Points.histogram(
        labels, OperationStats.BOUNDS, durations.counts(), durations.sumSeconds());
  }

  private void errors(MetricSnapshots.Builder all) {
    CounterSnapshot.Builder now =
        CounterSnapshot.builder()
            .name("volume_operation_errors")
            .help("Total volume operation errors");
    CounterSnapshot.Builder deprecated =
        CounterSnapshot.builder()
            .name("volume_operation_total_errors")
            .help("Total volume operation errors (deprecated, see volume_operation_errors_total)");
    binder
        .errors()
        .forEach((failing, count) -> {
          Labels labels =
              Labels.of("operation_name", failing.operation(), "plugin_name", failing.plugin());
          now.dataPoint(Points.counted(labels, count));
          deprecated.dataPoint(Points.counted(labels, count));
        });
    all.metricSnapshot(now.build()).metricSnapshot(deprecated.build());
  }

  private void attached(MetricSnapshots.Builder all) {
    GaugeSnapshot.Builder total =
        GaugeSnapshot.builder()
            .name("attachdetach_controller_total_volumes")
            .help("Number of volumes in A/D Controller");
    rows(total, attachDetach.desired(), "desired_state_of_world");
    rows(total, attachDetach.actual(), "actual_state_of_world");
    GaugeSnapshot.Builder inUse =
        GaugeSnapshot.builder()
            .name("storage_count_attachable_volumes_in_use")
            .help("Measure number of volumes in use");
    attachDetach
        .inUse()
        .forEach((key, count) ->
            inUse.dataPoint(
                Points.gauge(Labels.of("node", key.node(), "volume_plugin", key.plugin()), count)));
    CounterSnapshot.Builder forced =
        CounterSnapshot.builder()
            .name("attach_detach_controller_attachdetach_controller_forced_detaches")
            .help("Number of times the A/D Controller performed a forced detach");
    forced.dataPoint(
        Points.counted(Labels.of("reason", "timeout"), attachDetach.forcedByTimeout()));
    forced.dataPoint(
        Points.counted(Labels.of("reason", "out-of-service"), attachDetach.forcedByTaint()));
    forced.dataPoint(
        Points.counted(Labels.of("reason", "evidence"), attachDetach.forcedByEvidence()));
    all.metricSnapshot(total.build()).metricSnapshot(inUse.build()).metricSnapshot(forced.build());
    all.metricSnapshot(
        Points.counter(
            "mooring_attachment_drifts",
            "How often a volume that was taken for attached was not.",
            attachDetach.drifts()));
  }

  private static void rows(GaugeSnapshot.Builder gauge, Map<String, Integer> counts, String state) {
    counts.forEach((plugin, count) ->
        gauge.dataPoint(Points.gauge(Labels.of("plugin_name", plugin, "state", state), count)));
  }
}
