package dev.mooring.populator.state;

import dev.mooring.model.DataSourceRef;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Populator.SourceKind;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.Comparator;
import java.util.Optional;

/** Populators of the loaded plugins by the kinds that they serve. Thread-safe. */
public record LoadedPopulators(LoadedPlugins plugins) {
  public record Service(Populator populator, SourceKind kind, boolean isLoaded) {}

  /**
   * Returns the populator of a data source: of a loaded plugin if there is one, else of a removed
   * plugin, whose calls fail.
   */
  public Optional<Service> find(DataSourceRef source) {
    return source.needsPopulator()
        ? plugins.outOfTree().stream()
            .sorted(Comparator.comparing(VolumePlugin::name))
            .flatMap(plugin -> findService(plugin, source).stream())
            .min(Comparator.comparing(service -> !service.isLoaded()))
        : Optional.empty();
  }

  private Optional<Service> findService(VolumePlugin plugin, DataSourceRef source) {
    return plugin
        .populator()
        .flatMap(populator ->
            populator.kinds().stream()
                .filter(kind -> isKindOf(kind, source))
                .findFirst()
                .map(
                    kind -> new Service(populator, kind, plugins.find(plugin.name()).isPresent())));
  }

  private static boolean isKindOf(SourceKind kind, DataSourceRef source) {
    return kind.group().equals(source.group()) && kind.kind().equals(source.kind());
  }
}
