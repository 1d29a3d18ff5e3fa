package dev.mooring.manager.telemetry;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.provisioner.VolumeUsage;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;

/** How plugins are, and how full their volumes are. */
final class PluginMetrics {
  private PluginMetrics() {}

  static void add(MetricSnapshots.Builder all, PluginRegistry plugins, List<VolumeUsage> usage) {
    plugins(all, plugins);
    volumes(all, usage);
  }

  private static void plugins(MetricSnapshots.Builder all, PluginRegistry plugins) {
    CounterSnapshot.Builder faults =
        CounterSnapshot.builder()
            .name("mooring_plugin_faults")
            .help("Calls that a plugin answered by throwing.");
    GaugeSnapshot.Builder hanging =
        GaugeSnapshot.builder()
            .name("mooring_plugin_hanging_calls")
            .help("Calls to a plugin that do not end although they were interrupted.");
    GaugeSnapshot.Builder up =
        GaugeSnapshot.builder()
            .name("mooring_plugin_up")
            .help("Whether a plugin that is loaded is asked: 0 while it fails for everything.");
    for (PluginRegistry.Loaded plugin : plugins.loaded()) {
      Labels name = Labels.of("plugin", plugin.name());
      faults.dataPoint(Points.counted(name, plugin.health().faults()));
      hanging.dataPoint(Points.gauge(name, plugin.health().hanging()));
      up.dataPoint(
          Points.gauge(
              Labels.of("plugin", plugin.name(), "jar", plugin.jar()),
              plugin.health().isUp() ? 1 : 0));
    }
    GaugeSnapshot.Builder problems =
        GaugeSnapshot.builder()
            .name("mooring_plugin_problems")
            .help("Jars, or plugins in them, that could not be loaded.");
    problems.dataPoint(Points.gauge(Labels.EMPTY, plugins.problems().size()));
    all.metricSnapshot(faults.build())
        .metricSnapshot(hanging.build())
        .metricSnapshot(up.build())
        .metricSnapshot(problems.build());
  }

  private static void volumes(MetricSnapshots.Builder all, List<VolumeUsage> usage) {
    GaugeSnapshot.Builder used =
        GaugeSnapshot.builder()
            .name("mooring_volume_used_bytes")
            .help("What a volume's files add up to, when it was last measured.");
    GaugeSnapshot.Builder files =
        GaugeSnapshot.builder()
            .name("mooring_volume_files")
            .help("How many files and directories a volume has, when it was last measured.");
    GaugeSnapshot.Builder capacity =
        GaugeSnapshot.builder()
            .name("mooring_volume_capacity_bytes")
            .help("How large a volume is that was measured.");
    for (VolumeUsage found : usage) {
      Labels labels =
          Labels.of(
              "namespace",
              found.claim().namespace(),
              "persistentvolumeclaim",
              found.claim().name(),
              "persistentvolume",
              found.volume());
      used.dataPoint(Points.gauge(labels, found.bytes()));
      files.dataPoint(Points.gauge(labels, found.files()));
      capacity.dataPoint(Points.gauge(labels, found.capacity().toBytesCeiling()));
    }
    all.metricSnapshot(used.build()).metricSnapshot(files.build()).metricSnapshot(capacity.build());
  }
}
