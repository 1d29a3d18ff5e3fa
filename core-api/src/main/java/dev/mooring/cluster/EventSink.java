package dev.mooring.cluster;

/**
 * Takes events. Never blocks and never fails: under pressure events are dropped and counted, not
 * waited for. Thread-safe.
 */
@FunctionalInterface
public interface EventSink {
  /** Tells it. */
  void tell(ClusterEvent event);
}
