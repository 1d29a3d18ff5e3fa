package dev.mooring.cluster;

/**
 * Takes events. Never blocks and never fails: under pressure events are dropped and counted, not
 * waited for. Thread-safe.
 */
@FunctionalInterface
public interface EventSink {
  /** Tells it. */
  void tell(ClusterEvent event);

  /**
   * Tells it, and says if that came to nothing: there was no room for it, or the server did not
   * take it. Whoever wants it to be known then tells it again, later.
   *
   * @param lost called once at most, soon or after a while, from any thread; must be quick
   */
  default void tell(ClusterEvent event, Runnable lost) {
    tell(event);
  }
}
