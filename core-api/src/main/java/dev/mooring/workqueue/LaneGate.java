package dev.mooring.workqueue;

/**
 * Admits the keys of a queue to processing, lane by lane, for example because a backend limits the
 * rate of its calls. Thread-safe. The queue calls it under its lock: every method is fast, and none
 * runs a callback of {@link #onRoom}.
 *
 * @param <K> type of the keys
 */
public interface LaneGate<K> {
  /** Returns the number of lanes, at least 1. Constant. */
  int laneCount();

  /**
   * Returns the present lane of a key, from 0, which is served first. The lane of a queued key may
   * change; it is then taken in its new lane.
   */
  int laneOf(K key);

  /**
   * Starts the processing of a key of this lane, unless the lane has no room. {@link #leave}
   * follows. After a refusal, the callbacks of {@link #onRoom} run as soon as the lane has room
   * without a {@code leave}.
   */
  boolean tryEnter(int lane);

  void leave(int lane);

  /** Registers a callback that runs on another thread when a lane that was full has room. */
  void onRoom(Runnable callback);
}
