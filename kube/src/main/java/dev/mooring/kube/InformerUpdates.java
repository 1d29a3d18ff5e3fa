package dev.mooring.kube;

import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.Meta;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.workqueue.ReconcileContext;

/** Connects writes with the caches of this process. Thread-safe. */
record InformerUpdates(SharedInformers informers) {
  /**
   * Returns whether the cache has a later version of the object. After a restore the server may
   * nevertheless have an earlier one.
   */
  boolean hasLaterVersion(Kind<?> kind, ObjectKey key, long version) {
    return informers.find(kind).filter(informer -> getVersion(informer, key) > version).isPresent();
  }

  private static long getVersion(Informer<?> informer, ObjectKey key) {
    return informer.get(key).map(known -> known.meta().resourceVersion()).orElse(0L);
  }

  <T extends Resource> WriteResult<T> apply(Kind<T> kind, WriteResult<T> result) {
    if (result instanceof WriteResult.Written<T>(T written)) {
      informers.find(kind).ifPresent(informer -> apply(informer, written));
    }
    return result;
  }

  private static <T extends Resource> void apply(Informer<T> informer, T written) {
    if (isRemoved(informer.kind(), written.meta())) {
      informer.applyOwnDeletion(written.key(), written.meta().uid());
      return;
    }
    ReconcileContext.ReconcileListener listener = ReconcileContext.current();
    if (listener != null
        && getVersion(informer, written.key()) >= written.meta().resourceVersion()) {
      listener.ownWriteObserved(); // the watch event arrived before the response
    }
    informer.applyOwnWrite(written);
  }

  // The API server deletes an object with its last finalizer, and answers with its old version. A
  // pod remains until the kubelet confirms its end.
  private static boolean isRemoved(Kind<?> kind, Meta answer) {
    return answer.isBeingDeleted()
        && answer.finalizers().isEmpty()
        && !kind.plural().equals(Kind.POD.plural());
  }

  void remove(Kind<?> kind, ObjectKey key, Uid uid) {
    informers.find(kind).ifPresent(informer -> informer.applyOwnDeletion(key, uid));
  }
}
