package dev.mooring.manager.command;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.ObjectKey;
import java.time.Duration;
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

  @Option(
      names = "--plugin-timeout",
      paramLabel = "DURATION",
      defaultValue = "2m",
      converter = GoDuration.class,
      description =
          "How long a plugin may take for a call. One that takes longer is interrupted, and asked again later. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = PluginRegistry.DEADLINE;

  @Option(
      names = "--plugin-pods-namespace",
      paramLabel = "NAMESPACE",
      description =
          "Let plugins look at nodes, and run pods in this namespace for work on nodes, as the local-path plugin does. Such pods may reach directories of nodes: let nobody else make pods there. Default: plugins see no nodes and run no pods.")
  private String podsNamespace = "";

  /** Where plugins may run pods, "" for nowhere. */
  String podsNamespace() throws UsageException {
    return checkedPodsNamespace(podsNamespace);
  }

  /** The same namespace, if there can be one of that name, or it is "". */
  static String checkedPodsNamespace(String name) throws UsageException {
    String flaw = ObjectKey.of(name, "pod").flaw();
    if (!flaw.isEmpty()) {
      throw new WrongFlagException("--plugin-pods-namespace: " + flaw);
    }
    return name;
  }

  /** How long a call may take. */
  Duration timeout() throws UsageException {
    if (!timeout.isPositive()) {
      throw new WrongFlagException("--plugin-timeout must be more than 0, was " + timeout);
    }
    return timeout;
  }

  /** The plugins' settings, by name. */
  Map<String, String> byName() {
    return settings;
  }

  /**
   * Refuses settings that no plugin has asked for, unless it may be one that could not be loaded.
   */
  void check(PluginRegistry registry) throws UsageException {
    Set<String> asked = registry.settingsAsked();
    if (!registry.problems().isEmpty()) {
      return;
    }
    for (String name : settings.keySet()) {
      if (!asked.contains(name)) {
        throw new WrongFlagException(
            "--plugin-setting "
                + name
                + ": no plugin reads it; the plugins that are loaded read "
                + new TreeSet<>(asked));
      }
    }
  }
}
