package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.Optional;

/**
 * Writes to the cluster. Thread-safe. Calls block until the server responds.
 *
 * <p>Before a call returns, the response is applied to the informer. If the server is overloaded,
 * the call waits and resends. A refusal that concerns one object (a webhook's 429) returns at once;
 * further writes to that object then pause for the requested time, at most 32 s.
 *
 * <p>An invalid key returns {@link WriteResult.Rejected} without a request. A write whose version
 * becomes stale in the caches before it is sent returns {@link WriteResult.Conflict} without a
 * request.
 */
public interface ClusterWriter {
  /**
   * Merge-patches the object; members of {@code status} have no effect. Build the body with {@link
   * Document#patchOf}.
   */
  <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException;

  /**
   * Does the same as {@link #patch} and also returns the full object, with the labels and
   * annotations that caches drop. Saves a read after the write.
   */
  default <T extends Resource> WrittenObject<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    return new WrittenObject<>(patch(kind, key, patch), Optional.empty());
  }

  <T extends Resource> WriteResult<T> patchStatus(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException;

  /**
   * Creates an object; returns {@link WriteResult.Conflict} if the name is taken. Adds kind and
   * apiVersion to the body.
   */
  <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException;

  /**
   * Deletes the object if it still has the uid. Returns Gone if the object no longer exists.
   * Returns Written if deletion has started but finalizers or a pod's grace period delay it.
   */
  default <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid)
      throws InterruptedException {
    return delete(kind, key, uid, 0);
  }

  /**
   * Deletes one version of the object. A request that arrives long after its caller gave up cannot
   * delete an object that has changed since.
   *
   * @param version required resourceVersion, else {@link WriteResult.Conflict}; 0 for any
   */
  <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid, long version)
      throws InterruptedException;
}
