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
  record ListedKind<T extends Resource>(Informer<T> informer, Optional<String> unseen) {}

  private final Map<Kind<?>, ListedKind<?>> byKind;
  private final LiveReader reader;
  private final EventReader events;
  private final LoadedPlugins plugins;

  FixedClusterView(
      Map<Kind<?>, ListedKind<?>> byKind,
      LiveReader reader,
      EventReader events,
      LoadedPlugins plugins) {
    this.byKind = Map.copyOf(byKind);
    this.reader = new CachedLiveReader(reader);
    this.events = events;
    this.plugins = plugins;
  }

  /** Returns an immutable snapshot of another view. */
  public static ClusterView frozen(ClusterView clusterView, Set<Kind<?>> kinds) {
    Map<Kind<?>, ListedKind<?>> listedKinds = new HashMap<>();
    kinds.forEach(kind -> listedKinds.put(kind, freeze(clusterView, kind)));
    return new FixedClusterView(
        listedKinds, clusterView.reader(), clusterView.events(), clusterView.plugins());
  }

  private static <T extends Resource> ListedKind<T> freeze(ClusterView clusterView, Kind<T> kind) {
    return new ListedKind<>(
        Informer.of(kind, clusterView.informer(kind).snapshot()), clusterView.readError(kind));
  }

  private ListedKind<?> listedKind(Kind<?> kind) {
    ListedKind<?> listedKind = byKind.get(kind);
    if (listedKind == null) {
      throw new IllegalArgumentException(kind + " was not requested");
    }
    return listedKind;
  }

  @Override
  @SuppressWarnings("unchecked") // the map's key is the kind of the value
  public final <T extends Resource> Informer<T> informer(Kind<T> kind) {
    return (Informer<T>) listedKind(kind).informer();
  }

  @Override
  public final Optional<String> readError(Kind<?> kind) {
    return listedKind(kind).unseen();
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
