package dev.mooring.manager.explain;

import dev.mooring.manager.plugin.PluginRegistry;
import dev.mooring.model.VolumeSource;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Plugins that are loaded on first use: most explanations need none. */
public final class LazyPlugins implements LoadedPlugins, AutoCloseable {
  private final PluginRegistry.Config config;
  private @Nullable PluginRegistry registry;

  public LazyPlugins(PluginRegistry.Config config) {
    this.config = config;
  }

  private synchronized LoadedPlugins loadPlugins() {
    if (registry == null) {
      try {
        registry = PluginRegistry.read(config);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return LoadedPlugins.NONE;
      }
    }
    return registry;
  }

  @Override
  public Optional<VolumePlugin> find(String name) {
    return loadPlugins().find(name);
  }

  @Override
  public List<VolumePlugin> findSupporting(VolumeSource source) {
    return loadPlugins().findSupporting(source);
  }

  @Override
  public Map<String, Long> generations() {
    return loadPlugins().generations();
  }

  @Override
  public List<String> loadFailures() {
    return loadPlugins().loadFailures();
  }

  @Override
  public synchronized void close() {
    if (registry != null) {
      registry.close();
    }
  }
}
