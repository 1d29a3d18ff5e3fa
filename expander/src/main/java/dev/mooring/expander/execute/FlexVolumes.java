package dev.mooring.expander.execute;

import dev.mooring.model.VolumeSource;
import dev.mooring.spi.Attempt;
import dev.mooring.spi.Expander;
import java.util.Optional;

/**
 * FlexVolumes: their drivers live on the nodes alone, so here the size is just granted, and the
 * node's kubelet does the work.
 */
public final class FlexVolumes {
  private static final String TYPE = "flexVolume";

  private FlexVolumes() {}

  /** Who grows the volume, if it is a FlexVolume. */
  public static Optional<Growth.Grower> growerOf(VolumeSource source) {
    return source.type().equals(TYPE)
        ? Optional.of(
            new Growth.Grower(
                source.attribute("driver"),
                request -> Attempt.done(new Expander.Expanded(request.to(), true))))
        : Optional.empty();
  }
}
