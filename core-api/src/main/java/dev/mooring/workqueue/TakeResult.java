package dev.mooring.workqueue;

/** Result of {@link WorkQueue#take}. */
public sealed interface TakeResult<K> {
  record Item<K>(K key) implements TakeResult<K> {}

  record ShutDown<K>() implements TakeResult<K> {}
}
