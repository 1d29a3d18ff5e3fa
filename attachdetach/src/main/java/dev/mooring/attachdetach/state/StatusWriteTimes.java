package dev.mooring.attachdetach.state;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

// Times of the last status write of each node, on the monotonic clock. Not thread-safe.
final class StatusWriteTimes {
  // period of Kubernetes' reconciler
  private static final Duration MIN_PAUSE = Duration.ofMillis(100);

  private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

  // A busy API server answers late. Each patch returns the whole node, so that more of them keep it
  // busy.
  private static final int PAUSE_PER_DURATION = 3;

  // duration: of the last completed write
  private record StatusWrite(long start, long duration) {
    long pause() {
      long pause = PAUSE_PER_DURATION * Math.min(duration, MAX_PAUSE.toNanos());
      return Math.clamp(pause, MIN_PAUSE.toNanos(), MAX_PAUSE.toNanos());
    }
  }

  private final Map<String, StatusWrite> lastWrites = new HashMap<>();

  void recordStart(String node, long now) {
    lastWrites.merge(
        node, new StatusWrite(now, 0), (last, first) -> new StatusWrite(now, last.duration()));
  }

  void recordEnd(String node, long now) {
    lastWrites.computeIfPresent(
        node, (name, write) -> new StatusWrite(write.start(), now - write.start()));
  }

  void remove(String node) {
    lastWrites.remove(node);
  }

  // Returns the time until the next write may start.
  Duration findDelay(String node, long now) {
    @Nullable StatusWrite last = lastWrites.get(node);
    return last == null
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, last.start() + last.pause() - now));
  }
}
