package dev.mooring.kube;

import dev.mooring.cluster.WriteResult;
import dev.mooring.informer.Informer;
import dev.mooring.informer.SharedInformers;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import dev.mooring.model.Uid;
import dev.mooring.workqueue.OwnDoing;

/** What writes and the caches of this process have to tell each other. Thread-safe. */
record Caches(SharedInformers informers) {
  /**
   * Whether a later version of the object is known than that one. A server that was set back may
   * have an earlier one all the same.
   */
  boolean knowLater(Kind<?> kind, ObjectKey key, long version) {
    return informers.find(kind).filter(informer -> version(informer, key) > version).isPresent();
  }

  private static long version(Informer<?> informer, ObjectKey key) {
    return informer.get(key).map(known -> known.meta().resourceVersion()).orElse(0L);
  }

  <T extends Resource> WriteResult<T> told(Kind<T> kind, WriteResult<T> result) {
    if (result instanceof WriteResult.Written<T>(T now)) {
      informers.find(kind).ifPresent(informer -> told(informer, now));
    }
    return result;
  }

  private static <T extends Resource> void told(Informer<T> informer, T now) {
    OwnDoing.Activity activity = OwnDoing.current();
    if (activity != null && version(informer, now.key()) >= now.meta().resourceVersion()) {
      activity.echoed(); // the watch was faster than the answer
    }
    informer.wrote(now);
  }

  void deleted(Kind<?> kind, ObjectKey key, Uid uid) {
    informers.find(kind).ifPresent(informer -> informer.deleted(key, uid));
  }
}
