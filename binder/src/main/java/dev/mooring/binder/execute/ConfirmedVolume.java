package dev.mooring.binder.execute;

import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A volume whose storage may be destroyed.
 *
 * @param judgedTwins the twins in the cache when that was decided
 */
record ConfirmedVolume(Volume volume, List<Volume> judgedTwins) {
  Optional<Volume> newTwin(Function<Volume, List<Volume>> twins) {
    return twins.apply(volume).stream().filter(twin -> !judgedTwins.contains(twin)).findFirst();
  }
}
