package dev.mooring.reconcile;

/**
 * Brings one key's object closer to what it should be.
 *
 * @param <K> the key
 */
@FunctionalInterface
public interface Reconciler<K> {
  /**
   * Looks at the newest state of the key and acts on it. Called by many threads, for one key never
   * twice at once. May block on writes.
   *
   * @throws InterruptedException when the worker is stopped; the key is then processed by the next
   *     start
   */
  Outcome reconcile(K key) throws InterruptedException;
}
