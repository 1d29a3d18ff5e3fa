package dev.mooring.manager.telemetry;

import dev.mooring.csi.CsiBridge;
import dev.mooring.operation.OperationStats;
import dev.mooring.provisioner.DeletionVerifier;

/** Metrics of CSI drivers, with the names of Kubernetes' sidecars. */
record DriverMetrics(CsiBridge csi, DeletionVerifier verifier) implements MetricsSource {
  @Override
  public void addTo(MetricFamilies families) {
    addCalls(families);
    addCapacities(families);
    addStates(families);
    addLimits(families);
    addOrphans(families);
  }

  private void addOrphans(MetricFamilies families) {
    MetricFamilies.Numbers volumes =
        families.gauge(
            "mooring_orphaned_volumes",
            "Number of volumes that this cluster deleted and that the CSI driver or plugin still has.");
    MetricFamilies.Numbers bytes =
        families.gauge(
            "mooring_orphaned_volume_bytes", "Capacity of mooring_orphaned_volumes in bytes.");
    for (CsiBridge.OrphanCount count : csi.orphans()) {
      String[] labels = {"driver_name", count.driver(), "storage_class", count.storageClass()};
      volumes.put(count.volumes(), labels);
      bytes.put(count.bytes(), labels);
    }
    for (DeletionVerifier.OrphanCount count : verifier.orphans()) {
      String[] labels = {"driver_name", count.plugin(), "storage_class", count.storageClass()};
      volumes.put(count.volumes(), labels);
      bytes.put(count.bytes(), labels);
    }
    MetricFamilies.Numbers failures =
        families.counter(
            "mooring_orphan_search_failures",
            "Number of searches for orphaned volumes that failed.");
    csi.failedSearches().forEach((driver, count) -> failures.put(count, "driver_name", driver));
    verifier.failures().forEach((plugin, count) -> failures.put(count, "driver_name", plugin));
  }

  private void addStates(MetricFamilies families) {
    MetricFamilies.Numbers driverUp =
        families.gauge(
            "mooring_csi_driver_up", "1 if the CSI driver answers; 0 while it is unavailable.");
    csi.drivers()
        .forEach(driver -> driverUp.put(driver.isReady() ? 1 : 0, "driver_name", driver.name()));
  }

  private void addLimits(MetricFamilies families) {
    MetricFamilies.Numbers rates =
        families.gauge(
            "mooring_csi_call_rate_limit",
            "Calls per second that Mooring makes, because the CSI driver refused more; absent without a limit.");
    MetricFamilies.Numbers numbers =
        families.gauge(
            "mooring_csi_call_concurrency_limit",
            "Concurrent calls that Mooring makes, because more took too long; absent without a limit.");
    for (CsiBridge.DriverStatus driver : csi.drivers()) {
      for (CsiBridge.CallLimit limit : driver.limits()) {
        String[] labels = {
          "driver_name", driver.name(), "method_name", "/csi.v1.Controller/" + limit.method()
        };
        if (Double.isFinite(limit.callsPerSecond())) {
          rates.put(limit.callsPerSecond(), labels);
        }
        if (Double.isFinite(limit.concurrency())) {
          numbers.put(limit.concurrency(), labels);
        }
      }
    }
  }

  private void addCalls(MetricFamilies families) {
    MetricFamilies.Histograms callSeconds =
        families.histogram(
            "csi_sidecar_operations_seconds",
            "Container Storage Interface operation duration with gRPC error code status total",
            OperationStats.BOUNDS);
    for (OperationStats.Durations call : csi.calls()) {
      String[] methodAndCode = call.labels().operation().split(" ");
      callSeconds.put(
          call.counts(),
          call.sumSeconds(),
          "driver_name",
          call.labels().plugin(),
          "grpc_status_code",
          methodAndCode[1],
          "method_name",
          "/csi.v1.Controller/" + methodAndCode[0],
          "migrated",
          "false");
    }
  }

  private void addCapacities(MetricFamilies families) {
    MetricFamilies.Numbers goal =
        families.gauge(
            "csistoragecapacities_desired_goal",
            "Number of CSIStorageCapacity objects that are supposed to be managed automatically.");
    MetricFamilies.Numbers current =
        families.gauge(
            "csistoragecapacities_desired_current",
            "Number of CSIStorageCapacity objects that exist and are supposed to be managed automatically.");
    MetricFamilies.Numbers obsolete =
        families.gauge(
            "csistoragecapacities_obsolete",
            "Number of CSIStorageCapacity objects that exist and will be deleted automatically.");
    csi.capacities()
        .forEach((driver, count) -> {
          goal.put(count.goal(), "driver_name", driver);
          current.put(count.current(), "driver_name", driver);
          obsolete.put(count.obsolete(), "driver_name", driver);
        });
  }
}
