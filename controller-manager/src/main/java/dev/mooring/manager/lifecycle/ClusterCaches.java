package dev.mooring.manager.lifecycle;

import dev.mooring.binder.BinderController;
import dev.mooring.informer.FilteredListWatch;
import dev.mooring.informer.Informer;
import dev.mooring.informer.ListWatch;
import dev.mooring.informer.Reflector;
import dev.mooring.kube.KubeConnection;
import dev.mooring.kube.KubeListWatch;
import dev.mooring.manager.console.WatchedCluster.WatchedKind;
import dev.mooring.model.Kind;
import dev.mooring.model.Pod;
import dev.mooring.model.PodMounts;
import dev.mooring.model.ReferenceGrant;
import dev.mooring.model.Resource;
import dev.mooring.time.Time;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;

/** Reflectors of all informers. Not thread-safe, except {@link #failures}. */
final class ClusterCaches {
  private static final Set<Kind<?>> FILTERED_KINDS = Set.of(Kind.POD, Kind.POD_MOUNTS);

  // Kinds that a server may not serve, or may serve later; startup does not wait for them.
  private static final Set<Kind<?>> LATE_KINDS =
      Set.of(
          Kind.ATTRIBUTES_CLASS,
          Kind.SNAPSHOT,
          Kind.SNAPSHOT_CONTENT,
          Kind.SNAPSHOT_CLASS,
          Kind.GROUP_SNAPSHOT,
          Kind.GROUP_SNAPSHOT_CONTENT,
          Kind.GROUP_SNAPSHOT_CLASS,
          ReferenceGrant.KIND);

  private final KubeConnection connection;
  private final ManagerActions actions;
  private final List<WatchedKind<?>> caches = new CopyOnWriteArrayList<>();

  ClusterCaches(KubeConnection connection, ManagerActions actions) {
    this.actions = actions;
    this.connection = connection;
  }

  <T extends Resource> void fill(Informer<T> informer, Time time) {
    ListWatch<T> listWatch =
        actions.watching(informer.kind(), new KubeListWatch<>(connection, informer.kind()));
    Reflector<T> reflector =
        new Reflector<>(
            informer,
            FILTERED_KINDS.contains(informer.kind())
                ? new FilteredListWatch<>(listWatch, ClusterCaches::isRelevant)
                : listWatch,
            time,
            () -> ThreadLocalRandom.current().nextDouble());
    caches.add(new WatchedKind<>(informer, reflector));
    reflector.start();
  }

  // Keeps only pods that use volumes; in most clusters most pods do not.
  private static boolean isRelevant(Resource object) {
    return switch (object) {
      case Pod pod -> pod.usesVolumes() || BinderController.hasRecyclerName(pod);
      case PodMounts pod -> pod.hasSharedOrLabelledVolumes();
      default -> true;
    };
  }

  List<WatchedKind<?>> caches() {
    return caches;
  }

  /**
   * Returns the number of failed lists and watches by resource, summed over all caches of a
   * resource. Thread-safe.
   */
  Map<String, Long> failures() {
    Map<String, Long> failures = new TreeMap<>();
    for (WatchedKind<?> cache : caches) {
      failures.merge(cache.informer().kind().plural(), cache.reflector().failures(), Long::sum);
    }
    return failures;
  }

  /** Blocks until the caches contain everything that the server has at the time of the call. */
  void awaitCurrent() throws InterruptedException {
    caches.forEach(cache -> cache.reflector().requestFreshness());
    for (WatchedKind<?> cache : caches) {
      if (!LATE_KINDS.contains(cache.informer().kind())) {
        cache.reflector().awaitFreshness();
      }
    }
  }

  void stop() throws InterruptedException {
    for (WatchedKind<?> cache : caches.reversed()) {
      cache.reflector().stop();
    }
  }
}
