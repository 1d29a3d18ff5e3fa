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
  public record LoadedPlugin(String name, boolean deletes) {}

  /**
   * Loaded plugins that matter for a volume.
   *
   * @param maker the plugin that the provisioned-by annotation names, if it is loaded
   * @param supporting plugins that support the volume's source; determined only if {@link
   *     #goesBySource}
   */
  public record PluginCandidates(Optional<LoadedPlugin> maker, List<LoadedPlugin> supporting) {
    public PluginCandidates {
      supporting = List.copyOf(supporting);
    }
  }

  private DeleterDecider() {}

  private static String maker(Volume volume) {
    return volume.meta().annotation(BinderMarks.PROVISIONED_BY);
  }

  private static boolean isCsi(Volume volume) {
    return volume.source().type().equals("csi");
  }

  public static boolean goesBySource(Volume volume) {
    return maker(volume).isEmpty()
        && !volume.meta().hasAnnotation(CsiMigration.MIGRATED_TO)
        && !isCsi(volume);
  }

  public static DeleterVerdict decide(Volume volume, PluginCandidates loaded, BinderPolicy policy) {
    if (!maker(volume).isEmpty()) {
      return loaded
          .maker()
          .map(plugin -> of(plugin, "")) // R1, R2
          .orElseGet(() -> unknownMaker(volume, policy));
    }
    if (!goesBySource(volume)) {
      return new DeleterVerdict.Others(); // R6
    }
    String where =
        "error getting deleter volume plugin for volume \"" + volume.meta().name() + "\": ";
    return switch (loaded.supporting().size()) {
      case 0 -> // R7
          new DeleterVerdict.NoDeleter(
              where + MissingPlugin.supporting(volume.source(), PluginRole.DELETABLE));
      case 1 -> of(loaded.supporting().getFirst(), where); // R8, R9
      default -> // R10
          new DeleterVerdict.NoDeleter(
              where
                  + "multiple volume plugins matched: "
                  + String.join(
                      ",", loaded.supporting().stream().map(LoadedPlugin::name).toList()));
    };
  }

  private static DeleterVerdict unknownMaker(Volume volume, BinderPolicy policy) {
    if (!policy.compat().isKubernetes() && isCsi(volume)) {
      return new DeleterVerdict.Others(); // R3: in any case a CSI driver serves it now
    }
    return maker(volume).startsWith(BinderMarks.IN_TREE_PREFIX)
        ? new DeleterVerdict.NoDeleter(
            MissingPlugin.named(maker(volume), PluginRole.DELETABLE)) // R4
        : new DeleterVerdict.Others(); // R5
  }

  private static DeleterVerdict of(LoadedPlugin plugin, String where) {
    return plugin.deletes()
        ? new DeleterVerdict.Plugin(plugin.name())
        : new DeleterVerdict.NoDeleter(where + PluginRole.DELETABLE.missing());
  }
}
