package dev.mooring.binder.execute;

import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.storage.LoadedPlugins;
import java.util.Optional;

/** Dry run: asks a plugin whether it would reject the claim. Provisions nothing. Thread-safe. */
public record PluginDryRun(LoadedPlugins plugins) {
  /**
   * Returns why the plugin rejects the claim; empty if it may accept it, or is not loaded.
   *
   * @param claim the claim with all labels and annotations
   */
  public Optional<String> of(Claim claim, StorageClass storageClass, String plugin) {
    ProvisionJob job = new ProvisionJob(claim, storageClass, plugin);
    return VolumeProvisioner.storage(plugins, plugin)
        .maker()
        .flatMap(maker -> maker.refuses(job.order()));
  }
}
