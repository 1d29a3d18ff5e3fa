package dev.mooring.csi.execute;

import dev.mooring.csi.decide.CloneSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who finds a source held must not have it let go behind his back: those who hold sources and the
 * one who lets them go do not look at the same one at once. Nobody waits; who comes second comes
 * again. Thread-safe.
 */
public final class SourceGate {
  private static final int LETTING_GO = -1;

  private final Map<CloneSource, Integer> inside = new ConcurrentHashMap<>();

  /** With nobody in it. */
  public SourceGate() {}

  /** Whether the source may be held now; {@link #held} must follow. */
  boolean holds(CloneSource source) {
    return inside.merge(source, 1, (n, one) -> n == LETTING_GO ? n : n + one) != LETTING_GO;
  }

  /** It was held, or could not be. */
  void held(CloneSource source) {
    inside.computeIfPresent(source, (s, n) -> n > 1 ? n - 1 : null);
  }

  /** Whether the source may be let go now; {@link #letGo} must follow. */
  public boolean letsGo(CloneSource source) {
    return inside.putIfAbsent(source, LETTING_GO) == null;
  }

  /** It was let go, or could not be. */
  public void letGo(CloneSource source) {
    inside.remove(source, LETTING_GO);
  }
}
