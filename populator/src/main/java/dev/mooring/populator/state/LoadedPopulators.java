package dev.mooring.populator.state;

import dev.mooring.model.DataSourceRef;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Populator.SourceKind;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Populators of the loaded plugins by the kinds that they serve. Thread-safe. */
public record LoadedPopulators(LoadedPlugins plugins) {
  public record Service(Populator populator, SourceKind kind) {}

  /** Returns the populator of a data source. Its calls fail while its plugin is not loaded. */
  public Optional<Service> find(DataSourceRef source) {
    if (!source.needsPopulator()) {
      return Optional.empty();
    }
    for (VolumePlugin plugin : sortedPlugins()) {
      Optional<Service> service =
          plugin
              .populator()
              .flatMap(populator ->
                  populator.kinds().stream()
                      .filter(kind -> isKindOf(kind, source))
                      .findFirst()
                      .map(kind -> new Service(populator, kind)));
      if (service.isPresent()) {
        return service;
      }
    }
    return Optional.empty();
  }

  public Optional<Service> findLoaded(DataSourceRef source) {
    return find(source)
        .filter(service ->
            sortedPlugins().stream()
                .filter(
                    plugin -> plugin.populator().filter(service.populator()::equals).isPresent())
                .anyMatch(plugin -> plugins.find(plugin.name()).isPresent()));
  }

  private static boolean isKindOf(SourceKind kind, DataSourceRef source) {
    return kind.group().equals(source.group()) && kind.kind().equals(source.kind());
  }

  private List<VolumePlugin> sortedPlugins() {
    return plugins.outOfTree().stream().sorted(Comparator.comparing(VolumePlugin::name)).toList();
  }
}
