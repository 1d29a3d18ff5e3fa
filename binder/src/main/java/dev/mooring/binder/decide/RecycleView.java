package dev.mooring.binder.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Released volume that must be recycled.
 *
 * @param users live pods that name the volume's former claim, sorted; empty if a claim of that name
 *     exists again, which these pods then use
 * @param recycler the recycler pod; null if there is none
 * @param relation relation of this process to the recycler pod
 */
public record RecycleView(
    Volume volume, List<ObjectKey> users, @Nullable Pod recycler, PodRelation relation) {
  public enum PodRelation {
    NONE,
    OURS,
    RECYCLED,
    ENDED,
    VANISHED
  }

  public RecycleView with(PodRelation relation) {
    return new RecycleView(volume, users, recycler, relation);
  }
}
