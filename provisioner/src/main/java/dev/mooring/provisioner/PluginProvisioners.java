package dev.mooring.provisioner;

import com.google.inject.Inject;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.provisioner.execute.PluginVolumes;
import dev.mooring.reconcile.ControllerSpec;
import dev.mooring.reconcile.GroupSpec;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import dev.mooring.storage.ProvisionConfig;
import dev.mooring.storage.ProvisionedStorage;
import dev.mooring.storage.StorageProvisioner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the plugins that use the external-provisioner protocol, as one controller. Each plugin has
 * its own queues and workers, so a hanging plugin delays only its own claims. A removed plugin's
 * queues stay idle until the plugin returns. Another controller reports claims of provisioners that
 * the process does not serve. Thread-safe.
 */
public final class PluginProvisioners {
  public static final String NAME = "provisioner";

  public record Config(ProvisionConfig provisionConfig) {}

  private final LoadedPlugins plugins;
  private final ProvisionConfig config;
  private final SharedInformers informers;
  private final StorageProvisioner provisioner;
  private final UnservedClaims unserved;

  // plugin name to the callback that wakes its controller; guarded by this
  private final Map<String, Runnable> wakers = new HashMap<>();

  @Inject
  PluginProvisioners(
      LoadedPlugins plugins,
      Config config,
      SharedInformers informers,
      StorageProvisioner provisioner,
      UnservedClaims unserved) {
    this.plugins = plugins;
    this.config = config.provisionConfig();
    this.informers = informers;
    this.provisioner = provisioner;
    this.unserved = unserved;
  }

  GroupSpec spec() {
    return new GroupSpec(
        NAME,
        List.of(
            informers.of(Kind.CLAIM), informers.of(Kind.VOLUME), informers.of(Kind.STORAGE_CLASS)),
        List.of(unserved.spec()),
        this::joinLoadedPlugins);
  }

  private void joinLoadedPlugins(GroupSpec.JoinableGroup group) throws InterruptedException {
    plugins.onChange(changed -> joinChangedPlugins(changed, group));
    for (VolumePlugin plugin : plugins.outOfTree()) {
      servePlugin(plugin, group);
    }
  }

  private void joinChangedPlugins(Set<String> changed, GroupSpec.JoinableGroup group) {
    try {
      for (VolumePlugin plugin : plugins.outOfTree()) {
        if (changed.contains(plugin.name())) {
          servePlugin(plugin, group);
        }
      }
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
    }
  }

  private void servePlugin(VolumePlugin plugin, GroupSpec.JoinableGroup group)
      throws InterruptedException {
    if (plugin.provisioner().isEmpty() && plugin.deleter().isEmpty()) {
      return;
    }
    Optional<ControllerSpec> newController = createFirst(plugin);
    if (newController.isPresent()) {
      group.join(newController.get());
    }
  }

  private synchronized Optional<ControllerSpec> createFirst(VolumePlugin plugin) {
    String name = plugin.name();
    Runnable waker = wakers.get(name);
    if (waker != null) {
      waker.run();
      return Optional.empty();
    }
    return Optional.of(
        provisioner.createController(
            new ProvisionedStorage(
                "provisioner-" + name,
                new PluginVolumes(plugin, () -> plugins.find(name).isPresent()),
                config.withReporter(name),
                wake -> wakers.put(name, wake),
                wake -> {}, // plugins are always called
                Optional.empty(),
                Optional.empty())));
  }
}
