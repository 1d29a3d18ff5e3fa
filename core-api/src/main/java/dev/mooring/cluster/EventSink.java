package dev.mooring.cluster;

/**
 * Emits events asynchronously. Never blocks and never throws; under pressure it drops and counts
 * events. Thread-safe.
 */
@FunctionalInterface
public interface EventSink {
  void emit(ClusterEvent event);

  /**
   * Emits the event and runs a callback if the event is lost: the queue is full or the server
   * refuses it. The caller may then emit the event again later.
   *
   * @param onLoss runs at most once, from any thread, perhaps much later; must be quick
   */
  default void emit(ClusterEvent event, Runnable onLoss) {
    emit(event);
  }
}
