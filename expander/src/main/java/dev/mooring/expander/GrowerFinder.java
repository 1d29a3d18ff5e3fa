package dev.mooring.expander;

import dev.mooring.expander.execute.FlexVolumes;
import dev.mooring.expander.execute.VolumeGrowth;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.LoadedPlugins;
import java.util.Optional;

record GrowerFinder(LoadedPlugins plugins, ExpandController.Scope scope, Compat compat) {
  Optional<VolumeGrowth.VolumeGrower> of(VolumeSource source) {
    boolean all = scope == ExpandController.Scope.ALL;
    return plugins.supporting(source).stream()
        .filter(p -> all && !compat.isKubernetes() || !p.name().startsWith("kubernetes.io/"))
        .flatMap(p -> p.expander().map(e -> new VolumeGrowth.VolumeGrower(p.name(), e)).stream())
        .findFirst()
        .or(() -> all ? FlexVolumes.growerOf(source) : Optional.<VolumeGrowth.VolumeGrower>empty());
  }
}
