package dev.mooring.expander.execute;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Expander;
import java.util.Optional;

/**
 * FlexVolumes: their drivers run only on nodes. The controller grants the size, and the kubelet
 * expands the volume.
 */
public final class FlexVolumes {
  private static final String TYPE = "flexVolume";

  private FlexVolumes() {}

  public static Optional<VolumeGrowth.VolumeGrower> growerOf(VolumeSource source) {
    return source.type().equals(TYPE)
        ? Optional.of(
            new VolumeGrowth.VolumeGrower(
                source.attribute("driver"),
                request -> Attempt.done(new Expander.Expanded(request.to(), true))))
        : Optional.empty();
  }
}
