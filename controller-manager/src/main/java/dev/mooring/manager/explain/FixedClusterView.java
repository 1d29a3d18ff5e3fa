package dev.mooring.manager.explain;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.explain.ClusterView;
import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.storage.LoadedPlugins;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * View with fixed contents. Repeated live reads return the first result. Immutable except for its
 * informers.
 */
public class FixedClusterView implements ClusterView {
  record Seen<T extends Resource>(Informer<T> informer, Optional<String> unseen) {}

  private final Map<Kind<?>, Seen<?>> byKind;
  private final LiveReader reader;
  private final EventReader events;
  private final LoadedPlugins plugins;

  FixedClusterView(
      Map<Kind<?>, Seen<?>> byKind, LiveReader reader, EventReader events, LoadedPlugins plugins) {
    this.byKind = Map.copyOf(byKind);
    this.reader = new CachedLiveReader(reader);
    this.events = events;
    this.plugins = plugins;
  }

  /** Returns an immutable snapshot of another view. */
  public static ClusterView frozen(ClusterView clusterView, Set<Kind<?>> kinds) {
    Map<Kind<?>, Seen<?>> now = new HashMap<>();
    kinds.forEach(kind -> now.put(kind, seen(clusterView, kind)));
    return new FixedClusterView(
        now, clusterView.reader(), clusterView.events(), clusterView.plugins());
  }

  private static <T extends Resource> Seen<T> seen(ClusterView clusterView, Kind<T> kind) {
    return new Seen<>(
        Informer.of(kind, clusterView.informer(kind).snapshot()), clusterView.unseen(kind));
  }

  private Seen<?> of(Kind<?> kind) {
    Seen<?> found = byKind.get(kind);
    if (found == null) {
      throw new IllegalArgumentException(kind + " was not requested");
    }
    return found;
  }

  @Override
  @SuppressWarnings("unchecked") // the map's key is the kind of the value
  public final <T extends Resource> Informer<T> informer(Kind<T> kind) {
    return (Informer<T>) of(kind).informer();
  }

  @Override
  public final Optional<String> unseen(Kind<?> kind) {
    return of(kind).unseen();
  }

  @Override
  public final LiveReader reader() {
    return reader;
  }

  @Override
  public final EventReader events() {
    return events;
  }

  @Override
  public final LoadedPlugins plugins() {
    return plugins;
  }
}
