package dev.mooring.expander;

import dev.mooring.expander.execute.FlexVolumes;
import dev.mooring.expander.execute.VolumeGrowth;
import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.storage.Plugins;
import java.util.Optional;

/**
 * Finds the plugin of this process that expands volumes of a source.
 *
 * @param scope volumes that this process expands
 * @param compat in Kubernetes no plugin expands Kubernetes' own types
 */
record GrowerFinder(Plugins plugins, ExpandController.Scope scope, Compat compat) {
  Optional<VolumeGrowth.VolumeGrower> of(VolumeSource source) {
    boolean all = scope == ExpandController.Scope.ALL;
    return plugins.supporting(source).stream()
        .filter(p -> all && !compat.isKubernetes() || !p.name().startsWith("kubernetes.io/"))
        .flatMap(p -> p.expander().map(e -> new VolumeGrowth.VolumeGrower(p.name(), e)).stream())
        .findFirst()
        .or(() -> all ? FlexVolumes.growerOf(source) : Optional.<VolumeGrowth.VolumeGrower>empty());
  }
}
