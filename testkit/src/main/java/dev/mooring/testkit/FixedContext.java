package dev.mooring.testkit;

import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.PluginContext;
import java.util.Map;

/**
 * What a plugin is started with in a test. Thread-safe.
 *
 * @param settings the settings that are given, by their names
 * @param cluster what the plugin sees of the cluster
 */
public record FixedContext(Map<String, String> settings, PluginCluster cluster)
    implements PluginContext {
  /** What is given is kept as it is now. */
  public FixedContext {
    settings = Map.copyOf(settings);
  }

  /** Without a cluster. */
  public FixedContext(Map<String, String> settings) {
    this(settings, PluginCluster.NONE);
  }

  @Override
  public String setting(String name, String fallback) {
    return settings.getOrDefault(name, fallback);
  }

  @Override
  public System.Logger logger() {
    return System.getLogger("test");
  }
}
