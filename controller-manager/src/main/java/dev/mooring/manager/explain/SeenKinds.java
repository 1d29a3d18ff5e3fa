package dev.mooring.manager.explain;

import dev.mooring.informer.Informer;
import dev.mooring.model.Kind;
import dev.mooring.model.Resource;
import java.util.Map;
import java.util.Optional;

/** What a sight holds of each kind. Immutable but for its informers. */
final class SeenKinds {
  /**
   * Of one kind.
   *
   * @param informer its objects
   * @param unseen why they cannot be read; empty if they can
   */
  record Seen<T extends Resource>(Informer<T> informer, Optional<String> unseen) {}

  private final Map<Kind<?>, Seen<?>> byKind;

  /** Each under its own kind. */
  SeenKinds(Map<Kind<?>, Seen<?>> byKind) {
    this.byKind = Map.copyOf(byKind);
  }

  private Seen<?> of(Kind<?> kind) {
    Seen<?> found = byKind.get(kind);
    if (found == null) {
      throw new IllegalArgumentException(kind + " was never asked for");
    }
    return found;
  }

  @SuppressWarnings("unchecked") // each was filed under its own kind
  <T extends Resource> Informer<T> informer(Kind<T> kind) {
    return (Informer<T>) of(kind).informer();
  }

  Optional<String> unseen(Kind<?> kind) {
    return of(kind).unseen();
  }
}
