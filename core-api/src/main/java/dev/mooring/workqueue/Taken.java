package dev.mooring.workqueue;

/**
 * What a taker gets.
 *
 * @param <K> the key
 */
public sealed interface Taken<K> {
  /**
   * A key to process; {@link WorkQueue#done} must follow.
   *
   * @param key the key
   */
  record Item<K>(K key) implements Taken<K> {}

  /** The queue is shut down and empty: the taker ends. */
  record ShutDown<K>() implements Taken<K> {}
}
