package dev.mooring.testkit;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.NodeFencing;
import dev.mooring.spi.Populator;
import dev.mooring.spi.Provisioner;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plugin with the capabilities that a test supplies; owns no volumes. */
public record TestPlugin(
    String name,
    Optional<Provisioner> provisioner,
    Optional<Deleter> deleter,
    Optional<NodeFencing> fencing,
    Optional<Populator> populator)
    implements VolumePlugin {
  public TestPlugin(String name) {
    this(name, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  public TestPlugin withProvisioner(Provisioner newProvisioner) {
    return new TestPlugin(name, Optional.of(newProvisioner), deleter, fencing, populator);
  }

  public TestPlugin withDeleter(Deleter newDeleter) {
    return new TestPlugin(name, provisioner, Optional.of(newDeleter), fencing, populator);
  }

  public TestPlugin withFencing(NodeFencing newFencing) {
    return new TestPlugin(name, provisioner, deleter, Optional.of(newFencing), populator);
  }

  public TestPlugin withPopulator(Populator newPopulator) {
    return new TestPlugin(name, provisioner, deleter, fencing, Optional.of(newPopulator));
  }

  @Override
  public boolean supports(VolumeSource source) {
    return false;
  }

  /** Returns loaded plugins that contain only this plugin and never change. */
  public LoadedPlugins loaded() {
    return loaded(this);
  }

  /** Returns loaded plugins that contain only one plugin and never change. */
  public static LoadedPlugins loaded(VolumePlugin plugin) {
    return new LoadedPlugins() {
      @Override
      public Optional<VolumePlugin> find(String name) {
        return name.equals(plugin.name()) ? Optional.of(plugin) : Optional.empty();
      }

      @Override
      public List<VolumePlugin> findSupporting(VolumeSource source) {
        return plugin.supports(source) ? List.of(plugin) : List.of();
      }

      @Override
      public List<VolumePlugin> outOfTree() {
        return plugin.name().startsWith("kubernetes.io/") ? List.of() : List.of(plugin);
      }

      @Override
      public Map<String, Long> generations() {
        return Map.of(plugin.name(), 1L);
      }
    };
  }
}
