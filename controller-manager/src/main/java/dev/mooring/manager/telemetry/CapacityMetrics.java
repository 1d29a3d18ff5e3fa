package dev.mooring.manager.telemetry;

import dev.mooring.csi.CapacityCount;
import java.util.Map;

/** CSIStorageCapacity objects, under external-provisioner's names. */
final class CapacityMetrics {
  private CapacityMetrics() {}

  /**
   * Adds what there is.
   *
   * @param counts by driver
   */
  static void add(Families all, Map<String, CapacityCount> counts) {
    Families.Numbers goal =
        all.gauge(
            "csistoragecapacities_desired_goal",
            "Number of CSIStorageCapacity objects that are supposed to be managed automatically.");
    Families.Numbers current =
        all.gauge(
            "csistoragecapacities_desired_current",
            "Number of CSIStorageCapacity objects that exist and are supposed to be managed automatically.");
    Families.Numbers obsolete =
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
