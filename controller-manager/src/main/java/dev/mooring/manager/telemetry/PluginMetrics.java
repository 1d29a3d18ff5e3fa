package dev.mooring.manager.telemetry;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.provisioner.VolumeUsage;
import java.util.List;

/** How plugins are, and how full their volumes are. */
final class PluginMetrics {
  private PluginMetrics() {}

  static void add(Families all, PluginRegistry plugins, List<VolumeUsage> usage) {
    plugins(all, plugins);
    volumes(all, usage);
  }

  private static void plugins(Families all, PluginRegistry plugins) {
    Families.Numbers faults =
        all.counter("mooring_plugin_faults", "Calls that a plugin answered by throwing.");
    Families.Numbers hanging =
        all.gauge(
            "mooring_plugin_hanging_calls",
            "Calls to a plugin that do not end although they were interrupted.");
    Families.Numbers up =
        all.gauge(
            "mooring_plugin_up",
            "Whether a plugin that is loaded is asked: 0 while it fails for everything.");
    for (PluginRegistry.Loaded plugin : plugins.loaded()) {
      faults.put(plugin.health().faults(), "plugin", plugin.name());
      hanging.put(plugin.health().hanging(), "plugin", plugin.name());
      up.put(plugin.health().isUp() ? 1 : 0, "plugin", plugin.name(), "jar", plugin.jar());
    }
    all.gauge("mooring_plugin_problems", "Jars, or plugins in them, that could not be loaded.")
        .put(plugins.problems().size());
  }

  private static void volumes(Families all, List<VolumeUsage> usage) {
    Families.Numbers used =
        all.gauge(
            "mooring_volume_used_bytes",
            "What a volume's files add up to, when it was last measured.");
    Families.Numbers files =
        all.gauge(
            "mooring_volume_files",
            "How many files and directories a volume has, when it was last measured.");
    Families.Numbers capacity =
        all.gauge("mooring_volume_capacity_bytes", "How large a volume is that was measured.");
    for (VolumeUsage found : usage) {
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
