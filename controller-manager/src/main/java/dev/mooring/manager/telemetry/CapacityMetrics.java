package dev.mooring.manager.telemetry;

import dev.mooring.csi.decide.CapacityObjectCount;
import java.util.Map;

final class CapacityMetrics {
  private CapacityMetrics() {}

  static void add(MetricFamilies all, Map<String, CapacityObjectCount> counts) {
    MetricFamilies.Numbers goal =
        all.gauge(
            "csistoragecapacities_desired_goal",
            "Number of CSIStorageCapacity objects that are supposed to be managed automatically.");
    MetricFamilies.Numbers current =
        all.gauge(
            "csistoragecapacities_desired_current",
            "Number of CSIStorageCapacity objects that exist and are supposed to be managed automatically.");
    MetricFamilies.Numbers obsolete =
        all.gauge(
            "csistoragecapacities_obsolete",
            "Number of CSIStorageCapacity objects that exist and will be deleted automatically.");
    counts.forEach((driver, count) -> {
      goal.put(count.goal(), "driver_name", driver);
      current.put(count.current(), "driver_name", driver);
      obsolete.put(count.obsolete(), "driver_name", driver);
    });
  }
}
