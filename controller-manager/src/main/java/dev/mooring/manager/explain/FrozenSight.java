package dev.mooring.manager.explain;

import dev.mooring.cluster.EventReader;
import dev.mooring.cluster.LiveReader;
import dev.mooring.explain.Sight;
import dev.mooring.informer.Informer;
import dev.mooring.manager.explain.SeenKinds.Seen;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import dev.mooring.storage.Plugins;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What another sight showed at one moment, whatever happens to it afterwards; what the server is
 * asked it is asked once. Thread-safe.
 */
public final class FrozenSight implements Sight {
  private final SeenKinds seen;
  private final LiveReader reader;
  private final EventReader events;
  private final Plugins plugins;

  /** What is in that sight now, of these kinds. */
  public FrozenSight(Sight sight, Set<Kind<?>> kinds) {
    Map<Kind<?>, Seen<?>> now = new HashMap<>();
    kinds.forEach(kind -> now.put(kind, seen(sight, kind)));
    this.seen = new SeenKinds(now);
    this.reader = new RememberedReads(sight.reader());
    this.events = sight.events();
    this.plugins = sight.plugins();
  }

  private static <T extends Resource> Seen<T> seen(Sight sight, Kind<T> kind) {
    return new Seen<>(Informer.of(kind, sight.informer(kind).snapshot()), sight.unseen(kind));
  }

  @Override
  public <T extends Resource> Informer<T> informer(Kind<T> kind) {
    return seen.informer(kind);
  }

  @Override
  public Optional<String> unseen(Kind<?> kind) {
    return seen.unseen(kind);
  }

  @Override
  public LiveReader reader() {
    return reader;
  }

  @Override
  public EventReader events() {
    return events;
  }

  @Override
  public Plugins plugins() {
    return plugins;
  }
}
