package dev.mooring.informer;

import java.util.Collection;
import java.util.function.Function;

/**
 * Secondary index of a cache. Compared by identity: use the same instance for the informer and its
 * snapshots.
 *
 * @param <I> type of the index terms
 */
public final class Index<T, I> {
  private final String name;
  private final Function<? super T, ? extends Collection<? extends I>> terms;

  /**
   * Creates an index.
   *
   * @param name name in messages
   * @param terms returns an object's index terms; must be a pure function and return no duplicates
   */
  public Index(String name, Function<? super T, ? extends Collection<? extends I>> terms) {
    this.name = name;
    this.terms = terms;
  }

  Collection<? extends I> terms(T object) {
    return terms.apply(object);
  }

  @Override
  public String toString() {
    return name;
  }
}
