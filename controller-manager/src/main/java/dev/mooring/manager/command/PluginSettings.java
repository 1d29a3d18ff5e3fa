package dev.mooring.manager.command;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

final class PluginSettings {
  @Option(
      names = "--plugin-setting",
      paramLabel = "NAME=VALUE",
      description =
          "Setting of a plugin; see the plugin's documentation. Repeatable. Example: nfs-exports=10.0.0.1:/srv=/mnt/srv.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--plugin-timeout",
      paramLabel = "DURATION",
      description =
          "Timeout of a call to a plugin. After it, the call is interrupted and retried later. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = PluginRegistry.DEADLINE;

  @Option(
      names = "--plugin-pods-namespace",
      paramLabel = "NAMESPACE",
      description =
          "Namespace in which plugins may run pods for work on nodes, as the local-path plugin does. Such pods may access directories of nodes: do not let others create pods there. Plugins with this setting may also read nodes. Default: none; plugins cannot read nodes or run pods.")
  private String podsNamespace = "";

  @Option(
      names = "--populator-namespace",
      paramLabel = "NAMESPACE",
      description =
          "Namespace in which populators of plugins fill volumes: it has the prime claims and the populator pods. Do not let others create claims or pods there. Default: none; no volume is populated.")
  private String populatorNamespace = "";

  String populatorNamespace() throws UsageException {
    String flaw = populatorNamespace.isEmpty() ? "" : ObjectKey.of(populatorNamespace, "x").flaw();
    if (!flaw.isEmpty()) {
      throw new InvalidFlagException("--populator-namespace: " + flaw);
    }
    return populatorNamespace;
  }

  String podsNamespace() throws UsageException {
    return checkedPodsNamespace(podsNamespace);
  }

  static String checkedPodsNamespace(String name) throws UsageException {
    String flaw = ObjectKey.of(name, "pod").flaw();
    if (!flaw.isEmpty()) {
      throw new InvalidFlagException("--plugin-pods-namespace: " + flaw);
    }
    return name;
  }

  Duration timeout() throws UsageException {
    if (!timeout.isPositive()) {
      throw new InvalidFlagException("--plugin-timeout must be positive, was " + timeout);
    }
    return timeout;
  }

  Map<String, String> byName() {
    return settings;
  }

  /** Rejects settings that no loaded plugin reads, unless a plugin failed to load. */
  void check(PluginRegistry registry) throws UsageException {
    Set<String> readSettings = registry.readSettings();
    if (!registry.problems().isEmpty()) {
      return;
    }
    for (String name : settings.keySet()) {
      if (!readSettings.contains(name)) {
        throw new InvalidFlagException(
            "--plugin-setting %s: no plugin reads it; the loaded plugins read %s"
                .formatted(name, new TreeSet<>(readSettings)));
      }
    }
  }
}
