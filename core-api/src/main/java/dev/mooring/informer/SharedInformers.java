package dev.mooring.informer;

import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Informers of a process: one per requested kind, with all requested indexes. A request creates the
 * informer; the host starts reflectors for the kinds that controllers declare to read. Thread-safe.
 */
public final class SharedInformers {
  private final Map<Kind<?>, Informer<?>> informers = new ConcurrentHashMap<>();
  private volatile RestoreListener restoreListener = RestoreListener.NONE;

  public SharedInformers() {}

  @SafeVarargs
  public final <T extends Resource> Informer<T> of(Kind<T> kind, Index<T, ?>... indexes) {
    Informer<T> informer = findOrCreate(kind);
    for (Index<T, ?> index : indexes) {
      informer.addIndex(index);
    }
    return informer;
  }

  @SuppressWarnings("unchecked") // each value belongs to the kind of its key
  private <T extends Resource> Informer<T> findOrCreate(Kind<T> kind) {
    return (Informer<T>) informers.computeIfAbsent(kind, k -> create(k, restoreListener));
  }

  private static <T extends Resource> Informer<T> create(
      Kind<T> kind, RestoreListener restoreListener) {
    Informer<T> informer = new Informer<>(kind, List.of());
    informer.onRestore(restoreListener);
    return informer;
  }

  public void onRestore(RestoreListener listener) {
    restoreListener = listener;
    informers.values().forEach(informer -> informer.onRestore(listener));
  }

  @SuppressWarnings("unchecked") // each value belongs to the kind of its key
  public <T extends Resource> Optional<Informer<T>> find(Kind<T> kind) {
    return Optional.ofNullable((Informer<T>) informers.get(kind));
  }
}
