package dev.mooring.cluster;

import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import java.util.Optional;

/**
 * Writes to the cluster. Thread-safe; calls block until the server has answered. An object that
 * comes back is handed to its informer before the call returns. A server that has too much to do is
 * waited for inside; a refusal that concerns one object only (a webhook's 429) comes back at once,
 * and that object is left alone for as long as was asked, 32 s at most. A key that no object can
 * have is {@link WriteResult.Rejected}, and nothing is sent. Nor is a write for a version that the
 * caches learn to be past while it waits for its turn: that is {@link WriteResult.Conflict}.
 */
public interface ClusterWriter {
  /**
   * Merges the patch into the object; a status member has no effect. Begin with {@link
   * Document#patchOf}.
   */
  <T extends Resource> WriteResult<T> patch(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException;

  /**
   * The same as {@link #patch}, for who would read the object next: the server's answer has all of
   * it, also the labels and annotations that caches do not keep.
   */
  default <T extends Resource> WriteAndRead<T> patchAndRead(
      Kind<T> kind, ObjectKey key, Document patch) throws InterruptedException {
    return new WriteAndRead<>(patch(kind, key, patch), Optional.empty());
  }

  /** Merges the patch into the object's status. Begin with {@link Document#patchOf}. */
  <T extends Resource> WriteResult<T> patchStatus(Kind<T> kind, ObjectKey key, Document patch)
      throws InterruptedException;

  /**
   * Creates an object; {@link WriteResult.Conflict} if there is one of that name. Kind and
   * apiVersion are added.
   */
  <T extends Resource> WriteResult<T> create(Kind<T> kind, ObjectKey key, Document object)
      throws InterruptedException;

  /**
   * Deletes the object if its uid is still that one. One that is only going, because it has
   * finalizers or, as pods do, takes its time, comes back as Written, one that is gone as Gone.
   */
  default <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid)
      throws InterruptedException {
    return delete(kind, key, uid, 0);
  }

  /**
   * The same, of one version. A deletion may come to the server long after it was given up: of an
   * object that has changed since it is refused.
   *
   * @param version the resourceVersion that it has to be in, else {@link WriteResult.Conflict}; 0
   *     for any
   */
  <T extends Resource> WriteResult<T> delete(Kind<T> kind, ObjectKey key, Uid uid, long version)
      throws InterruptedException;
}
