package dev.mooring.storage;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.VolumePlugin;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Loaded plugins, wrapped in guards. Thread-safe; results may change when plugins are loaded or
 * removed.
 */
public interface LoadedPlugins {
  LoadedPlugins NONE =
      new LoadedPlugins() {
        @Override
        public Optional<VolumePlugin> find(String name) {
          return Optional.empty();
        }

        @Override
        public List<VolumePlugin> findSupporting(VolumeSource source) {
          return List.of();
        }
      };

  Optional<VolumePlugin> find(String name);

  List<VolumePlugin> findSupporting(VolumeSource source);

  /**
   * Returns the plugins that are not in-tree, including removed ones, whose calls fail. Empty by
   * default.
   */
  default List<VolumePlugin> outOfTree() {
    return List.of();
  }

  /**
   * Registers a listener for the names of plugins that were loaded, replaced or removed. It runs
   * after each change on any thread and must be quick. Does nothing by default.
   */
  default void onChange(Consumer<Set<String>> listener) {}

  /**
   * Returns a snapshot of change counters by plugin name, including removed plugins. A counter
   * changes when its plugin is loaded, replaced, removed, or fails to answer. As long as no counter
   * changes, earlier results of {@link #find}, {@link #findSupporting} and the plugins remain
   * valid.
   */
  default Map<String, Long> generations() {
    return Map.of();
  }

  /**
   * Returns the jars that could not be loaded, with the causes: {@code plugin a.jar: its manifest
   * names no level}. Empty by default.
   */
  default List<String> loadFailures() {
    return List.of();
  }
}
