package dev.mooring.manager.telemetry;

import dev.mooring.selinux.VolumeConflict;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;

/** Pods that cannot use a volume together because of SELinux, under Kubernetes' name. */
final class LabelMetrics {
  private LabelMetrics() {}

  static GaugeSnapshot conflicts(List<VolumeConflict> conflicts) {
    GaugeSnapshot.Builder gauge =
        GaugeSnapshot.builder()
            .name("selinux_warning_controller_selinux_volume_conflict")
            .help("Conflict between two Pods using the same volume");
    for (VolumeConflict conflict : conflicts) {
      gauge.dataPoint(
          Points.gauge(
              Labels.of(
                  "property",
                  conflict.property(),
                  "pod1_namespace",
                  conflict.pod().namespace(),
                  "pod1_name",
                  conflict.pod().name(),
                  "pod1_value",
                  conflict.value(),
                  "pod2_namespace",
                  conflict.other().namespace(),
                  "pod2_name",
                  conflict.other().name(),
                  "pod2_value",
                  conflict.otherValue()),
              1));
    }
    return gauge.build();
  }
}
