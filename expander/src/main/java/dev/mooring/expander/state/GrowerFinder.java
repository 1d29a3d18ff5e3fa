package dev.mooring.expander.state;

import dev.mooring.model.VolumeSource;
import dev.mooring.reconcile.Compat;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Expander;
import dev.mooring.storage.LoadedPlugins;
import java.util.Optional;

/**
 * Finds the loaded plugin that expands a volume.
 *
 * @param includesInTree whether volumes of in-tree plugins are expanded
 */
public record GrowerFinder(LoadedPlugins plugins, boolean includesInTree, Compat compat) {
  private static final String FLEX_VOLUME = "flexVolume";

  /**
   * Expands volumes.
   *
   * @param name name in events and metrics
   */
  public record VolumeGrower(String name, Expander expander) {}

  public Optional<VolumeGrower> findGrower(VolumeSource source) {
    return plugins.findSupporting(source).stream()
        .filter(
            p -> includesInTree && !compat.isKubernetes() || !p.name().startsWith("kubernetes.io/"))
        .flatMap(p -> p.expander().map(e -> new VolumeGrower(p.name(), e)).stream())
        .findFirst()
        .or(() -> includesInTree ? flexVolumeGrower(source) : Optional.empty());
  }

  /**
   * Drivers of FlexVolumes run only on nodes: the controller grants the size, and the kubelet
   * expands the volume.
   */
  private static Optional<VolumeGrower> flexVolumeGrower(VolumeSource source) {
    return source.type().equals(FLEX_VOLUME)
        ? Optional.of(
            new VolumeGrower(
                source.attribute("driver"),
                request -> Attempt.done(new Expander.Expanded(request.requestedSize(), true))))
        : Optional.empty();
  }
}
