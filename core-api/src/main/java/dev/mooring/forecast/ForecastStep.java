package dev.mooring.forecast;

import dev.mooring.model.Volume;
import java.util.Optional;

/**
 * Next step of a controller.
 *
 * @param actor the controller
 * @param text what it does: "releases volume disk-1"
 * @param after the objects after the step
 * @param destroyed volume whose data the step destroys
 */
public record ForecastStep(
    String actor, String text, ClusterSlice after, Optional<Volume> destroyed) {
  public static ForecastStep change(String actor, String text, ClusterSlice after) {
    return new ForecastStep(actor, text, after, Optional.empty());
  }
}
