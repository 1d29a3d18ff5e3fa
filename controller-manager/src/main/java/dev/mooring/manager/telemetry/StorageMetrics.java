package dev.mooring.manager.telemetry;

import dev.mooring.attachdetach.AttachDetachMetrics;
import dev.mooring.binder.BinderMetrics;
import dev.mooring.operation.OperationStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Metrics of volume operations, with Kubernetes' names. */
record StorageMetrics(
    BinderMetrics binder, AttachDetachMetrics attachDetach, OperationStats expander)
    implements MetricsSource {
  @Override
  public void addTo(MetricFamilies families) {
    List<OperationStats.Durations> calls = new ArrayList<>(binder.calls().read());
    calls.addAll(attachDetach.operations().read());
    calls.addAll(expander.read());
    addCalls(families, calls);
    addEndToEndDurations(families, binder.operations().read());
    addErrors(families);
    families.counter(
        "retroactive_storageclass",
        "Total number of PVCs that were given the default StorageClass afterwards",
        binder.defaultedClaims());
    families.counter(
        "retroactive_storageclass_errors",
        "Total number of failed attempts to give PVCs the default StorageClass afterwards",
        binder.failedDefaults());
    addAttachments(families);
  }

  private static void addCalls(MetricFamilies families, List<OperationStats.Durations> calls) {
    putDurations(
        families.histogram(
            "storage_operation_duration_seconds",
            "Storage operation duration",
            OperationStats.BOUNDS),
        calls,
        sort ->
            List.of(
                "migrated", Boolean.toString(sort.migrated()),
                "operation_name", sort.operation(),
                "status", sort.succeeded() ? "success" : "fail-unknown",
                "volume_plugin", sort.plugin()));
  }

  private static void addEndToEndDurations(
      MetricFamilies families, List<OperationStats.Durations> durations) {
    putDurations(
        families.histogram(
            "volume_operation_total_seconds",
            "Storage operation end to end duration in seconds",
            OperationStats.BOUNDS),
        durations,
        sort -> List.of("operation_name", sort.operation(), "plugin_name", sort.plugin()));
  }

  private static void putDurations(
      MetricFamilies.Histograms family,
      List<OperationStats.Durations> durations,
      Function<OperationStats.Labels, List<String>> labels) {
    for (OperationStats.Durations operation : durations) {
      family.put(
          operation.counts(),
          operation.sumSeconds(),
          labels.apply(operation.labels()).toArray(String[]::new));
    }
  }

  private void addErrors(MetricFamilies families) {
    MetricFamilies.Numbers errors =
        families.counter("volume_operation_errors", "Total volume operation errors");
    MetricFamilies.Numbers deprecated =
        families.counter(
            "volume_operation_total_errors",
            "Total volume operation errors (deprecated, see volume_operation_errors_total)");
    binder
        .errors()
        .forEach((failing, count) -> {
          String[] labels = {
            "operation_name", failing.operation(), "plugin_name", failing.plugin()
          };
          errors.put(count, labels);
          deprecated.put(count, labels);
        });
  }

  private void addAttachments(MetricFamilies families) {
    MetricFamilies.Numbers total =
        families.gauge(
            "attachdetach_controller_total_volumes", "Number of volumes in A/D Controller");
    putCounts(total, attachDetach.desired(), "desired_state_of_world");
    putCounts(total, attachDetach.actual(), "actual_state_of_world");
    MetricFamilies.Numbers inUse =
        families.gauge(
            "storage_count_attachable_volumes_in_use", "Measure number of volumes in use");
    attachDetach
        .inUse()
        .forEach(
            (key, count) -> inUse.put(count, "node", key.node(), "volume_plugin", key.plugin()));
    MetricFamilies.Numbers forcedDetaches =
        families.counter(
            "attach_detach_controller_attachdetach_controller_forced_detaches",
            "Number of times the A/D Controller performed a forced detach");
    forcedDetaches.put(attachDetach.forcedByTimeout(), "reason", "timeout");
    forcedDetaches.put(attachDetach.forcedByTaint(), "reason", "out-of-service");
    forcedDetaches.put(attachDetach.forcedByEvidence(), "reason", "evidence");
    families.counter(
        "mooring_attachment_drifts",
        "Number of volumes that were recorded as attached but were not.",
        attachDetach.drifts());
  }

  private static void putCounts(
      MetricFamilies.Numbers family, Map<String, Integer> counts, String state) {
    counts.forEach((plugin, count) -> family.put(count, "plugin_name", plugin, "state", state));
  }
}
