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
    List<PersistentMap<Object, PersistentMap<ObjectKey, T>>> emptyIndexes = new ArrayList<>();
    indexes.forEach(i -> emptyIndexes.add(PersistentMap.empty()));
    return new CacheSnapshot<>(
        List.copyOf(indexes), PersistentMap.empty(), List.copyOf(emptyIndexes));
  }

  CacheSnapshot<T> indexedBy(Index<T, ?> index) {
    if (indexes.contains(index)) {
      return this;
    }
    List<Index<T, ?>> allIndexes = new ArrayList<>(indexes);
    allIndexes.add(index);
    CacheSnapshot<T> result = empty(allIndexes);
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

  public Iterable<T> objects() {
    return objects;
  }

  // a new list
  public List<T> toList() {
    List<T> list = new ArrayList<>(size());
    objects().forEach(list::add);
    return list;
  }

  public <I> Iterable<T> findByIndex(Index<T, I> index, I term) {
    int position = indexes.indexOf(index);
    if (position < 0) {
      throw new IllegalArgumentException("the informer does not have the index " + index);
    }
    PersistentMap<ObjectKey, T> matches = indexed.get(position).get(term);
    return matches == null ? PersistentMap.<ObjectKey, T>empty() : matches;
  }

  /**
   * Reports every object that differs from an older snapshot of this or another informer. The cost
   * depends on the number of differences.
   */
  public void reportDifferences(CacheSnapshot<T> older, Consumer<Change<T>> changes) {
    objects.reportDifferences(
        older.objects, (key, old, current) -> changes.accept(change(old, current)));
  }

  private static <T extends Resource> Change<T> change(@Nullable T old, @Nullable T current) {
    if (current == null) {
      return new Change.Deleted<>(Objects.requireNonNull(old), true);
    }
    return old == null ? new Change.Added<>(current) : new Change.Updated<>(old, current);
  }

  CacheSnapshot<T> with(T object) {
    ObjectKey key = object.key();
    T previous = objects.get(key);
    return new CacheSnapshot<>(
        indexes, objects.with(key, object), updateIndexes(key, previous, object));
  }

  CacheSnapshot<T> without(ObjectKey key) {
    T previous = objects.get(key);
    return previous == null
        ? this
        : new CacheSnapshot<>(indexes, objects.without(key), updateIndexes(key, previous, null));
  }

  private List<PersistentMap<Object, PersistentMap<ObjectKey, T>>> updateIndexes(
      ObjectKey key, @Nullable T previous, @Nullable T current) {
    if (indexes.isEmpty()) {
      return indexed;
    }
    List<PersistentMap<Object, PersistentMap<ObjectKey, T>>> result =
        new ArrayList<>(indexes.size());
    for (int i = 0; i < indexes.size(); i++) {
      Index<T, ?> index = indexes.get(i);
      Collection<?> oldTerms = previous == null ? List.of() : index.terms(previous);
      Collection<?> newTerms = current == null ? List.of() : index.terms(current);
      PersistentMap<Object, PersistentMap<ObjectKey, T>> matchesByTerm = indexed.get(i);
      for (Object term : oldTerms) {
        if (!newTerms.contains(term)) {
          PersistentMap<ObjectKey, T> oldMatches = matchesByTerm.get(term);
          PersistentMap<ObjectKey, T> remaining =
              oldMatches == null ? PersistentMap.<ObjectKey, T>empty() : oldMatches.without(key);
          matchesByTerm =
              remaining.isEmpty()
                  ? matchesByTerm.without(term)
                  : matchesByTerm.with(term, remaining);
        }
      }
      if (current != null) {
        for (Object term : newTerms) {
          PersistentMap<ObjectKey, T> oldMatches = matchesByTerm.get(term);
          matchesByTerm =
              matchesByTerm.with(
                  term,
                  (oldMatches == null ? PersistentMap.<ObjectKey, T>empty() : oldMatches)
                      .with(key, current));
        }
      }
      result.add(matchesByTerm);
    }
    return result;
  }
}
