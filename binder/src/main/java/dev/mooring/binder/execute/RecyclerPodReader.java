package dev.mooring.binder.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.Map;

/** What only the server knows of a recycler pod, of which caches keep little. Thread-safe. */
record RecyclerPodReader(LiveReader reader) {
  /** Whether it is as we would have made it. */
  ReadResult<Boolean> isLike(Pod pod, Volume volume, RecyclerPod.PodSettings settings)
      throws InterruptedException {
    return reader
        .readWhole(Kind.POD, pod.key())
        .map(whole -> RecyclerPod.isLike(whole, volume, settings));
  }

  /** What it said last; nothing if it says nothing, or is gone. */
  ReadResult<String> message(Pod pod) throws InterruptedException {
    return reader
        .readWhole(Kind.POD, pod.key())
        .map(whole ->
            whole.get("status") instanceof Map<?, ?> status
                    && status.get("message") instanceof String message
                ? message
                : "");
  }
}
