package dev.mooring.csi.state;

import dev.mooring.csi.decide.CloneSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Prevents that a source is protected and released at the same time: a protector must not rely on a
 * finalizer that is about to be removed. No call blocks; the loser retries. Thread-safe.
 */
public final class SourceGate {
  private static final int RELEASING = -1;

  private final Map<CloneSource, Integer> protectorCounts = new ConcurrentHashMap<>();

  /** Enters before a source is protected. If true, {@link #leave} must follow. */
  public boolean tryEnter(CloneSource source) {
    return protectorCounts.merge(source, 1, (n, increment) -> n == RELEASING ? n : n + increment)
        != RELEASING;
  }

  // Leaves after the source was protected, or that failed.
  public void leave(CloneSource source) {
    protectorCounts.computeIfPresent(source, (s, n) -> n > 1 ? n - 1 : null);
  }

  /** Starts the release of a source. If true, {@link #endRelease} must follow. */
  public boolean tryRelease(CloneSource source) {
    return protectorCounts.putIfAbsent(source, RELEASING) == null;
  }

  public void endRelease(CloneSource source) {
    protectorCounts.remove(source, RELEASING);
  }
}
