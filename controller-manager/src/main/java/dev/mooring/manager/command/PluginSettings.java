package dev.mooring.manager.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The plugins' own settings. */
final class PluginSettings {
  @Option(
      names = "--plugin-setting",
      paramLabel = "NAME=VALUE",
      description =
          "A setting that a plugin reads, as its documentation says, for example nfs-exports=10.0.0.1:/srv=/mnt/srv. May be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  PluginSettings() {}

  /** The plugins' settings, by name. */
  Map<String, String> byName() {
    return settings;
  }

  /** Refuses settings that no plugin has asked for. */
  void check(Set<String> asked) throws UsageException {
    for (String name : settings.keySet()) {
      if (!asked.contains(name)) {
        throw new UsageException(
            "--plugin-setting "
                + name
                + ": no plugin reads it; the plugins that are loaded read "
                + new TreeSet<>(asked));
      }
    }
  }
}
