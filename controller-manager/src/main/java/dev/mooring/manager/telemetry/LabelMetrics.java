package dev.mooring.manager.telemetry;

import dev.mooring.selinux.VolumeConflict;
import java.util.List;

/** Metric of pods with conflicting SELinux labels. The name is Kubernetes'. */
final class LabelMetrics {
  private LabelMetrics() {}

  static void add(MetricFamilies families, List<VolumeConflict> conflicts) {
    MetricFamilies.Numbers gauge =
        families.gauge(
            "selinux_warning_controller_selinux_volume_conflict",
            "Conflict between two Pods using the same volume");
    for (VolumeConflict conflict : conflicts) {
      gauge.put(
          1,
          "property",
          conflict.property(),
          "pod1_namespace",
          conflict.pod().namespace(),
          "pod1_name",
          conflict.pod().name(),
          "pod1_value",
          conflict.value(),
          "pod2_namespace",
          conflict.otherPod().namespace(),
          "pod2_name",
          conflict.otherPod().name(),
          "pod2_value",
          conflict.otherValue());
    }
  }
}
