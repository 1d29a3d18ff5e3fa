package dev.mooring.workqueue;

/** Result of {@link WorkQueue#take}. */
public sealed interface Taken<K> {
  record Item<K>(K key) implements Taken<K> {}

  record ShutDown<K>() implements Taken<K> {}
}
