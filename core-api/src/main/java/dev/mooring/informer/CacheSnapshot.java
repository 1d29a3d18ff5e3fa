package dev.mooring.informer;

import dev.mooring.model.ObjectKey;
import dev.mooring.model.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All objects of a kind at one time (I1). Immutable. */
public final class CacheSnapshot<T extends Resource> {
  private final List<Index<T, ?>> indexes;
  private final PersistentMap<ObjectKey, T> objects;
  private final List<PersistentMap<Object, PersistentMap<ObjectKey, T>>> indexed;

  private CacheSnapshot(
      List<Index<T, ?>> indexes,
      PersistentMap<ObjectKey, T> objects,
      List<PersistentMap<Object, PersistentMap<ObjectKey, T>>> indexed) {
    this.indexes = indexes;
    this.objects = objects;
    this.indexed = indexed;
  }

  public static <T extends Resource> CacheSnapshot<T> empty() {
    return empty(List.of());
  }

  static <T extends Resource> CacheSnapshot<T> empty(List<Index<T, ?>> indexes) {
    List<PersistentMap<Object, PersistentMap<ObjectKey, T>>> none = new ArrayList<>();
    indexes.forEach(i -> none.add(PersistentMap.empty()));
    return new CacheSnapshot<>(List.copyOf(indexes), PersistentMap.empty(), List.copyOf(none));
  }

  CacheSnapshot<T> indexedBy(Index<T, ?> index) {
    if (indexes.contains(index)) {
      return this;
    }
    List<Index<T, ?>> more = new ArrayList<>(indexes);
    more.add(index);
    CacheSnapshot<T> result = empty(more);
    for (T object : objects) {
      result = result.with(object);
    }
    return result;
  }

  public Optional<T> get(ObjectKey key) {
    return Optional.ofNullable(objects.get(key));
  }

  @Nullable T find(ObjectKey key) {
    return objects.get(key);
  }

  public int size() {
    return objects.size();
  }

  public Iterable<T> all() {
    return objects;
  }

  public <I> Iterable<T> findByIndex(Index<T, I> index, I term) {
    int at = indexes.indexOf(index);
    if (at < 0) {
      throw new IllegalArgumentException("the informer does not have the index " + index);
    }
    PersistentMap<ObjectKey, T> found = indexed.get(at).get(term);
    return found == null ? PersistentMap.<ObjectKey, T>empty() : found;
  }

  /**
   * Reports every object that differs from an older snapshot of this or another informer. The cost
   * depends on the number of differences.
   */
  public void reportDifferences(CacheSnapshot<T> older, Consumer<Change<T>> changes) {
    objects.reportDifferences(
        older.objects, (key, before, now) -> changes.accept(change(before, now)));
  }

  private static <T extends Resource> Change<T> change(@Nullable T before, @Nullable T now) {
    if (now == null) {
      return new Change.Deleted<>(Objects.requireNonNull(before));
    }
    return before == null ? new Change.Added<>(now) : new Change.Updated<>(before, now);
  }

  CacheSnapshot<T> with(T object) {
    ObjectKey key = object.key();
    T before = objects.get(key);
    return new CacheSnapshot<>(indexes, objects.with(key, object), reindexed(key, before, object));
  }

  CacheSnapshot<T> without(ObjectKey key) {
    T before = objects.get(key);
    return before == null
        ? this
        : new CacheSnapshot<>(indexes, objects.without(key), reindexed(key, before, null));
  }

  private List<PersistentMap<Object, PersistentMap<ObjectKey, T>>> reindexed(
      ObjectKey key, @Nullable T before, @Nullable T after) {
    if (indexes.isEmpty()) {
      return indexed;
    }
    List<PersistentMap<Object, PersistentMap<ObjectKey, T>>> result =
        new ArrayList<>(indexes.size());
    for (int i = 0; i < indexes.size(); i++) {
      Index<T, ?> index = indexes.get(i);
      Collection<?> old = before == null ? List.of() : index.terms(before);
      Collection<?> now = after == null ? List.of() : index.terms(after);
      PersistentMap<Object, PersistentMap<ObjectKey, T>> map = indexed.get(i);
      for (Object term : old) {
        if (!now.contains(term)) {
          PersistentMap<ObjectKey, T> present = map.get(term);
          PersistentMap<ObjectKey, T> remaining =
              present == null ? PersistentMap.<ObjectKey, T>empty() : present.without(key);
          map = remaining.isEmpty() ? map.without(term) : map.with(term, remaining);
        }
      }
      if (after != null) {
        for (Object term : now) {
          PersistentMap<ObjectKey, T> present = map.get(term);
          map =
              map.with(
                  term,
                  (present == null ? PersistentMap.<ObjectKey, T>empty() : present)
                      .with(key, after));
        }
      }
      result.add(map);
    }
    return result;
  }
}
