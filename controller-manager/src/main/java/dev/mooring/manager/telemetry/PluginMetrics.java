package dev.mooring.manager.telemetry;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.provisioner.UsageController;
import dev.mooring.provisioner.VolumeUsage;

record PluginMetrics(PluginRegistry plugins, UsageController usage) implements MetricsSource {
  @Override
  public void addTo(MetricFamilies all) {
    addPlugins(all);
    addVolumes(all);
  }

  private void addPlugins(MetricFamilies all) {
    MetricFamilies.Numbers faults =
        all.counter("mooring_plugin_faults", "Number of plugin calls that threw an exception.");
    MetricFamilies.Numbers hanging =
        all.gauge(
            "mooring_plugin_hanging_calls",
            "Number of plugin calls that are still running after an interrupt.");
    MetricFamilies.Numbers up =
        all.gauge(
            "mooring_plugin_up",
            "1 if the plugin receives calls; 0 while its circuit is open or too many of its calls hang.");
    for (PluginRegistry.Loaded plugin : plugins.loaded()) {
      faults.put(plugin.health().faults(), "plugin", plugin.name());
      hanging.put(plugin.health().hanging(), "plugin", plugin.name());
      up.put(plugin.health().isUp() ? 1 : 0, "plugin", plugin.name(), "jar", plugin.jar());
    }
    all.gauge(
            "mooring_plugin_problems",
            "Number of jars, or plugins in them, that could not be loaded.")
        .put(plugins.problems().size());
  }

  private void addVolumes(MetricFamilies all) {
    MetricFamilies.Numbers used =
        all.gauge("mooring_volume_used_bytes", "Bytes used by a volume at its last measurement.");
    MetricFamilies.Numbers files =
        all.gauge(
            "mooring_volume_files",
            "Number of files and directories in a volume at its last measurement.");
    MetricFamilies.Numbers capacity =
        all.gauge("mooring_volume_capacity_bytes", "Capacity of a measured volume in bytes.");
    for (VolumeUsage found : usage.usage()) {
      String[] labels = {
        "namespace", found.claim().namespace(),
        "persistentvolumeclaim", found.claim().name(),
        "persistentvolume", found.volume()
      };
      used.put(found.bytes(), labels);
      files.put(found.files(), labels);
      capacity.put(found.capacity().toBytesCeiling(), labels);
    }
  }
}
