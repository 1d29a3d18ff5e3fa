package dev.mooring.populator.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.DataSourceRef;
import dev.mooring.model.VolumeSource;
import dev.mooring.populator.state.LoadedPopulators.Service;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Populator;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.testkit.TestPlugin;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadedPopulatorsTest {
  private static final DataSourceRef PAGE = new DataSourceRef("example.com", "Page", "", "a");

  private record Pages() implements Populator {
    @Override
    public List<SourceKind> kinds() {
      return List.of(
          new SourceKind("example.com", "v1", "pages", "Page"),
          new SourceKind("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim"));
    }

    @Override
    public Attempt<Progress> populate(Request request) {
      throw new AssertionError(request);
    }
  }

  private static LoadedPopulators populators(List<String> plugins, Set<String> loaded) {
    List<VolumePlugin> all =
        plugins.stream()
            .<VolumePlugin>map(name -> new TestPlugin(name).withPopulator(new Pages()))
            .toList();
    return new LoadedPopulators(
        new LoadedPlugins() {
          @Override
          public Optional<VolumePlugin> find(String name) {
            return all.stream()
                .filter(plugin -> plugin.name().equals(name) && loaded.contains(name))
                .findFirst();
          }

          @Override
          public List<VolumePlugin> findSupporting(VolumeSource source) {
            return List.of();
          }

          @Override
          public List<VolumePlugin> outOfTree() {
            return all;
          }
        });
  }

  @Test
  void find_removedAndLoadedPlugin_prefersTheLoadedOne() {
    assertThat(populators(List.of("a", "b"), Set.of("b")).find(PAGE))
        .map(Service::isLoaded)
        .contains(true);
  }

  @Test
  void find_removedPlugin_returnsItsPopulator() {
    assertThat(populators(List.of("a"), Set.of()).find(PAGE))
        .map(Service::isLoaded)
        .contains(false);
  }

  @Test
  void find_kindOfNoPopulator_isEmpty() {
    assertThat(
            populators(List.of("a"), Set.of("a"))
                .find(new DataSourceRef("example.org", "Page", "", "a")))
        .isEmpty();
  }

  @Test
  void find_claimAsSource_isEmptyEvenIfAPopulatorNamesTheKind() {
    assertThat(
            populators(List.of("a"), Set.of("a"))
                .find(new DataSourceRef("", "PersistentVolumeClaim", "", "a")))
        .isEmpty();
  }
}
