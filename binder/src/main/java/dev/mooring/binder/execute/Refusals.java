package dev.mooring.binder.execute;

import dev.mooring.model.Claim;
import dev.mooring.model.StorageClass;
import dev.mooring.storage.Plugins;
import java.util.Optional;

/** Asks plugins whether they would make a volume, which they do not by that. Thread-safe. */
public record Refusals(Plugins plugins) {
  /**
   * Why the plugin of that name never makes such a volume; empty if it may, or is not there.
   *
   * @param claim with all its labels and annotations
   */
  public Optional<String> of(Claim claim, StorageClass storageClass, String plugin) {
    ProvisionJob job = new ProvisionJob(claim, storageClass, plugin);
    return Provisioning.storage(plugins, plugin)
        .maker()
        .flatMap(maker -> maker.refuses(job.order()));
  }
}
