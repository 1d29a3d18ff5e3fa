package dev.mooring.informer;

import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The informers of a process: one of each kind that somebody asks for, with every index that
 * anybody asks for. To ask for one makes it; whoever hosts the controllers fills those that they
 * declare to read. Thread-safe.
 */
public final class SharedInformers {
  private final Map<Kind<?>, Informer<?>> byKind = new ConcurrentHashMap<>();
  private volatile RestoreListener restores = RestoreListener.NONE;

  /** None yet. */
  public SharedInformers() {}

  /**
   * The informer of that kind.
   *
   * @param indexes what its snapshots can be asked by from now on, besides what they can already
   */
  @SafeVarargs
  public final <T extends Resource> Informer<T> of(Kind<T> kind, Index<T, ?>... indexes) {
    Informer<T> informer = made(kind);
    for (Index<T, ?> index : indexes) {
      informer.addIndex(index);
    }
    return informer;
  }

  @SuppressWarnings("unchecked") // each is filed under its own kind
  private <T extends Resource> Informer<T> made(Kind<T> kind) {
    return (Informer<T>) byKind.computeIfAbsent(kind, k -> made(k, restores));
  }

  private static <T extends Resource> Informer<T> made(Kind<T> kind, RestoreListener restores) {
    Informer<T> informer = new Informer<>(kind, List.of());
    informer.onRestore(restores);
    return informer;
  }

  /** Tells the listener of every informer, present and future, whose versions went back. */
  public void onRestore(RestoreListener listener) {
    restores = listener;
    byKind.values().forEach(informer -> informer.onRestore(listener));
  }

  /** The informer of that kind, if anybody has asked for it. */
  @SuppressWarnings("unchecked") // each is filed under its own kind
  public <T extends Resource> Optional<Informer<T>> find(Kind<T> kind) {
    return Optional.ofNullable((Informer<T>) byKind.get(kind));
  }
}
