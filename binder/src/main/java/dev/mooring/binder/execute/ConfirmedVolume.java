package dev.mooring.binder.execute;

import dev.mooring.binder.state.ReclaimViews;
import dev.mooring.model.Volume;
import java.util.List;
import java.util.Optional;

/**
 * A volume whose storage may be destroyed.
 *
 * @param judgedTwins the twins in the cache when that was decided
 */
record ConfirmedVolume(Volume volume, List<Volume> judgedTwins) {
  Optional<Volume> newTwin(ReclaimViews views) {
    return views.twins(volume).stream().filter(twin -> !judgedTwins.contains(twin)).findFirst();
  }
}
