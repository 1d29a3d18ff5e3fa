package dev.mooring.binder.decide;

import dev.mooring.binder.decide.MissingPlugin.PluginRole;
import dev.mooring.model.CsiMigration;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;

/**
 * Decides which plugin or process deletes a volume: its provisioner; if the volume names none, the
 * plugin that supports its source.
 */
public final class DeleterDecider {
  public record LoadedPlugin(String name, boolean canDelete) {}

  /**
   * Loaded plugins that matter for a volume.
   *
   * @param provisioner the plugin that the provisioned-by annotation names, if it is loaded
   * @param supporting plugins that support the volume's source; determined only if {@link
   *     #goesBySource}
   */
  public record PluginCandidates(
      Optional<LoadedPlugin> provisioner, List<LoadedPlugin> supporting) {
    public PluginCandidates {
      supporting = List.copyOf(supporting);
    }
  }

  private DeleterDecider() {}

  private static String provisioner(Volume volume) {
    return volume.meta().annotation(BinderMarks.PROVISIONED_BY);
  }

  private static boolean isCsi(Volume volume) {
    return volume.source().type().equals("csi");
  }

  public static boolean isFoundBySource(Volume volume) {
    return provisioner(volume).isEmpty()
        && !volume.meta().hasAnnotation(CsiMigration.MIGRATED_TO)
        && !isCsi(volume);
  }

  public static DeleterVerdict decide(
      Volume volume, PluginCandidates candidates, BinderPolicy policy) {
    if (!provisioner(volume).isEmpty()) {
      return candidates
          .provisioner()
          .map(plugin -> verdictOf(plugin, "")) // R1, R2
          .orElseGet(() -> decideUnknownProvisioner(volume, policy));
    }
    if (!isFoundBySource(volume)) {
      return new DeleterVerdict.Others(); // R6
    }
    String prefix =
        "error getting deleter volume plugin for volume \"" + volume.meta().name() + "\": ";
    return switch (candidates.supporting().size()) {
      case 0 -> // R7
          new DeleterVerdict.NoDeleter(
              prefix + MissingPlugin.messageForSource(volume.source(), PluginRole.DELETABLE));
      case 1 -> verdictOf(candidates.supporting().getFirst(), prefix); // R8, R9
      default -> // R10
          new DeleterVerdict.NoDeleter(
              prefix
                  + "multiple volume plugins matched: "
                  + String.join(
                      ",", candidates.supporting().stream().map(LoadedPlugin::name).toList()));
    };
  }

  private static DeleterVerdict decideUnknownProvisioner(Volume volume, BinderPolicy policy) {
    if (!policy.compat().isKubernetes() && isCsi(volume)) {
      return new DeleterVerdict.Others(); // R3: in any case a CSI driver serves it now
    }
    return provisioner(volume).startsWith(BinderMarks.IN_TREE_PREFIX)
        ? new DeleterVerdict.NoDeleter(
            MissingPlugin.messageForName(provisioner(volume), PluginRole.DELETABLE)) // R4
        : new DeleterVerdict.Others(); // R5
  }

  private static DeleterVerdict verdictOf(LoadedPlugin plugin, String prefix) {
    return plugin.canDelete()
        ? new DeleterVerdict.Plugin(plugin.name())
        : new DeleterVerdict.NoDeleter(prefix + PluginRole.DELETABLE.message());
  }
}
