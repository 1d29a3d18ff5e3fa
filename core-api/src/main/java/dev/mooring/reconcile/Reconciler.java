package dev.mooring.reconcile;

/**
 * Moves one key's object towards its desired state.
 *
 * @param <K> type of the key
 */
@FunctionalInterface
public interface Reconciler<K> {
  /**
   * Reconciles the latest state of the key. Called on many threads, but never concurrently for one
   * key. May block on writes.
   *
   * @throws InterruptedException when the worker is stopped; the key is then processed after the
   *     next start
   */
  Outcome reconcile(K key) throws InterruptedException;
}
