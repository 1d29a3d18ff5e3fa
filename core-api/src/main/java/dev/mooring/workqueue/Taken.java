package dev.mooring.workqueue;

/** Result of {@link WorkQueue#take}. */
public sealed interface Taken<K> {
  /** A key to process; the caller must call {@link WorkQueue#done}. */
  record Item<K>(K key) implements Taken<K> {}

  record ShutDown<K>() implements Taken<K> {}
}
