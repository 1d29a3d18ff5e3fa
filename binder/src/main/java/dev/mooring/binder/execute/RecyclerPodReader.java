package dev.mooring.binder.execute;

import dev.mooring.cluster.LiveReader;
import dev.mooring.cluster.ReadResult;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.Volume;
import java.util.Map;
import java.util.function.Function;

/** What only the server knows of a recycler pod, of which caches keep little. Thread-safe. */
record RecyclerPodReader(LiveReader reader) {
  /** Whether it is as we would have made it. */
  ReadResult<Boolean> isLike(Pod pod, Volume volume, RecyclerPod.PodSettings settings)
      throws InterruptedException {
    return read(pod, whole -> RecyclerPod.isLike(whole, volume, settings));
  }

  /** What it said last; nothing if it says nothing, or is gone. */
  ReadResult<String> message(Pod pod) throws InterruptedException {
    return read(
        pod,
        whole ->
            whole.get("status") instanceof Map<?, ?> status
                    && status.get("message") instanceof String message
                ? message
                : "");
  }

  private <T> ReadResult<T> read(Pod pod, Function<Map<String, Object>, T> told)
      throws InterruptedException {
    return switch (reader.readWhole(Kind.POD, pod.key())) {
      case ReadResult.Found<Map<String, Object>>(Map<String, Object> whole) ->
          new ReadResult.Found<>(told.apply(whole));
      case ReadResult.Absent<Map<String, Object>> _ -> new ReadResult.Absent<>();
      case ReadResult.Failed<Map<String, Object>>(String why) -> new ReadResult.Failed<>(why);
    };
  }
}
