package dev.mooring.binder.execute;

import dev.mooring.binder.decide.Marks;
import dev.mooring.binder.decide.NoPlugin;
import dev.mooring.binder.decide.NoPlugin.Role;
import dev.mooring.binder.decide.Policy;
import dev.mooring.model.Migration;
import dev.mooring.model.Volume;
import dev.mooring.operation.Plugins;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.VolumePlugin;
import java.util.List;
import java.util.Optional;

/** Who destroys a volume, of the plugins that are loaded. Thread-safe. */
public final class Deleters {
  /** Who deletes a volume. */
  public sealed interface Responsible {
    record Plugin(String name, Deleter deleter) implements Responsible {}

    record Others() implements Responsible {}

    record Nobody(String note) implements Responsible {}
  }

  private final Plugins plugins;
  private final Policy policy;

  /** Of these plugins. */
  public Deleters(Plugins plugins, Policy policy) {
    this.plugins = plugins;
    this.policy = policy;
  }

  /** Who destroys that volume. */
  public Responsible of(Volume volume) {
    String provisioner = volume.meta().annotation(Marks.PROVISIONED_BY);
    if (!provisioner.isEmpty()) {
      Optional<VolumePlugin> plugin = plugins.named(provisioner);
      if (plugin.isEmpty() && !policy.kubernetes() && volume.source().type().equals("csi")) {
        return new Responsible.Others(); // whatever it says of its origin, a CSI driver has it
      }
      if (plugin.isEmpty()) {
        return provisioner.startsWith(Marks.IN_TREE)
            ? new Responsible.Nobody(NoPlugin.named(provisioner, Role.DELETABLE))
            : new Responsible.Others();
      }
      return ofPlugin(plugin.get(), "");
    }
    if (volume.meta().has(Migration.MIGRATED_TO) || volume.source().type().equals("csi")) {
      return new Responsible.Others();
    }
    String where =
        "error getting deleter volume plugin for volume \"" + volume.meta().name() + "\": ";
    List<VolumePlugin> matching = plugins.supporting(volume.source());
    return switch (matching.size()) {
      case 0 ->
          new Responsible.Nobody(where + NoPlugin.supporting(volume.source(), Role.DELETABLE));
      case 1 -> ofPlugin(matching.getFirst(), where);
      default ->
          new Responsible.Nobody(
              where
                  + "multiple volume plugins matched: "
                  + String.join(",", matching.stream().map(VolumePlugin::name).toList()));
    };
  }

  private static Responsible ofPlugin(VolumePlugin plugin, String where) {
    return plugin
        .deleter()
        .<Responsible>map(deleter -> new Responsible.Plugin(plugin.name(), deleter))
        .orElseGet(() -> new Responsible.Nobody(where + Role.DELETABLE.missing()));
  }
}
