package dev.mooring.it.sim;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plugins of a process that has exactly one, which never changes. */
record SinglePlugin(VolumePlugin plugin) implements LoadedPlugins {
  @Override
  public Optional<VolumePlugin> find(String name) {
    return name.equals(plugin.name()) ? Optional.of(plugin) : Optional.empty();
  }

  @Override
  public List<VolumePlugin> findSupporting(VolumeSource source) {
    return plugin.supports(source) ? List.of(plugin) : List.of();
  }

  @Override
  public Map<String, Long> generations() {
    return Map.of(plugin.name(), 1L);
  }
}
