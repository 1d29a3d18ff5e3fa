package dev.mooring.testkit;

import dev.mooring.spi.PluginCluster;
import dev.mooring.spi.PluginContext;
import java.util.Map;

/**
 * Plugin context with fixed settings, for tests. Thread-safe.
 *
 * @param settings settings by name
 * @param cluster the plugin's access to the cluster
 */
public record FixedContext(Map<String, String> settings, PluginCluster cluster)
    implements PluginContext {
  public FixedContext {
    settings = Map.copyOf(settings);
  }

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
