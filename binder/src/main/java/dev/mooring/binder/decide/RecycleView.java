package dev.mooring.binder.decide;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A released volume that is to be recycled.
 *
 * @param volume the volume
 * @param users live pods that name the claim it belonged to, sorted; empty if there is a claim of
 *     that name again, which these pods then use
 * @param recycler the recycler pod, null for none
 * @param part what this process has to do with it
 */
public record RecycleView(Volume volume, List<ObjectKey> users, @Nullable Pod recycler, Part part) {
  /** What this process has to do with a recycler pod. */
  public enum Part {
    /** Nothing, or there is none. */
    NONE,

    /** It made it, or took it up. */
    OURS,

    /** By its work the volume is empty since its last claim, and is only to be freed. */
    RECYCLED,

    /** It is through with it and has deleted it. */
    ENDED,

    /** It made or took up one that was there, and is not any more. */
    VANISHED
  }
}
