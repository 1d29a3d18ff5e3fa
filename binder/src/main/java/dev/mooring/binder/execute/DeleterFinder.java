package dev.mooring.binder.execute;

import dev.mooring.binder.decide.BinderMarks;
import dev.mooring.binder.decide.BinderPolicy;
import dev.mooring.binder.decide.DeleterDecider;
import dev.mooring.binder.decide.DeleterDecider.LoadedPlugin;
import dev.mooring.binder.decide.DeleterDecider.PluginCandidates;
import dev.mooring.binder.decide.DeleterVerdict;
import dev.mooring.model.Volume;
import dev.mooring.spi.Deleter;
import dev.mooring.spi.VolumePlugin;
import dev.mooring.storage.LoadedPlugins;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the loaded plugin that deletes a volume. Thread-safe. */
public record DeleterFinder(LoadedPlugins plugins, BinderPolicy policy) {
  public record FoundDeleter(DeleterVerdict verdict, Optional<Deleter> deleter) {}

  public FoundDeleter of(Volume volume) {
    String name = volume.meta().annotation(BinderMarks.PROVISIONED_BY);
    Optional<VolumePlugin> maker = name.isEmpty() ? Optional.empty() : plugins.named(name);
    List<VolumePlugin> supporting =
        DeleterDecider.goesBySource(volume) ? plugins.supporting(volume.source()) : List.of();
    DeleterVerdict verdict =
        DeleterDecider.decide(
            volume,
            new PluginCandidates(
                maker.map(DeleterFinder::loaded),
                supporting.stream().map(DeleterFinder::loaded).toList()),
            policy);
    Optional<Deleter> deleter =
        verdict instanceof DeleterVerdict.Plugin
            ? Stream.concat(maker.stream(), supporting.stream())
                .findFirst()
                .flatMap(VolumePlugin::deleter)
            : Optional.empty();
    return new FoundDeleter(verdict, deleter);
  }

  private static LoadedPlugin loaded(VolumePlugin plugin) {
    return new LoadedPlugin(plugin.name(), plugin.deleter().isPresent());
  }
}
