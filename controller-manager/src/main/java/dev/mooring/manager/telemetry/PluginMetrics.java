package dev.mooring.manager.telemetry;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.provisioner.UsageController;
import dev.mooring.provisioner.VolumeUsage;

record PluginMetrics(PluginRegistry plugins, UsageController usage) implements MetricsSource {
  @Override
  public void addTo(MetricFamilies families) {
    addPlugins(families);
    addVolumes(families);
  }

  private void addPlugins(MetricFamilies families) {
    MetricFamilies.Numbers faults =
        families.counter(
            "mooring_plugin_faults", "Number of plugin calls that threw an exception.");
    MetricFamilies.Numbers hanging =
        families.gauge(
            "mooring_plugin_hanging_calls",
            "Number of plugin calls that are still running after an interrupt.");
    MetricFamilies.Numbers pluginUp =
        families.gauge(
            "mooring_plugin_up",
            "1 if the plugin receives calls; 0 while its circuit is open or too many of its calls hang.");
    for (PluginRegistry.LoadedPlugin plugin : plugins.loaded()) {
      faults.put(plugin.health().faults(), "plugin", plugin.name());
      hanging.put(plugin.health().hanging(), "plugin", plugin.name());
      pluginUp.put(plugin.health().isUp() ? 1 : 0, "plugin", plugin.name(), "jar", plugin.jar());
    }
    families
        .gauge(
            "mooring_plugin_problems",
            "Number of jars, or plugins in them, that could not be loaded.")
        .put(plugins.problems().size());
  }

  private void addVolumes(MetricFamilies families) {
    MetricFamilies.Numbers used =
        families.gauge(
            "mooring_volume_used_bytes", "Bytes used by a volume at its last measurement.");
    MetricFamilies.Numbers files =
        families.gauge(
            "mooring_volume_files",
            "Number of files and directories in a volume at its last measurement.");
    MetricFamilies.Numbers capacity =
        families.gauge("mooring_volume_capacity_bytes", "Capacity of a measured volume in bytes.");
    for (VolumeUsage measurement : usage.usage()) {
      String[] labels = {
        "namespace", measurement.claim().namespace(),
        "persistentvolumeclaim", measurement.claim().name(),
        "persistentvolume", measurement.volume()
      };
      used.put(measurement.bytes(), labels);
      files.put(measurement.files(), labels);
      capacity.put(measurement.capacity().toBytesCeiling(), labels);
    }
  }
}
