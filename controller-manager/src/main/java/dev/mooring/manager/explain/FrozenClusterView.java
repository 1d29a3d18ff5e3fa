package dev.mooring.manager.explain;

import dev.mooring.explain.ClusterView;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Immutable snapshot of another view. Repeated live reads return the first result. Thread-safe. */
public final class FrozenClusterView extends FixedClusterView {
  public FrozenClusterView(ClusterView sight, Set<Kind<?>> kinds) {
    super(now(sight, kinds), sight.reader(), sight.events(), sight.plugins());
  }

  private static Map<Kind<?>, Seen<?>> now(ClusterView sight, Set<Kind<?>> kinds) {
    Map<Kind<?>, Seen<?>> now = new HashMap<>();
    kinds.forEach(kind -> now.put(kind, seen(sight, kind)));
    return now;
  }

  private static <T extends Resource> Seen<T> seen(ClusterView sight, Kind<T> kind) {
    return new Seen<>(Informer.of(kind, sight.informer(kind).snapshot()), sight.unseen(kind));
  }
}
