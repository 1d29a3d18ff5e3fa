package dev.mooring.informer;

import java.util.Collection;
import java.util.function.Function;

/**
 * A way to find objects by something other than their key. Identity matters: the same instance is
 * given to the informer and to the snapshot.
 *
 * @param <T> the objects
 * @param <I> what they are found by
 */
public final class Index<T, I> {
  private final String name;
  private final Function<? super T, ? extends Collection<? extends I>> terms;

  /**
   * An index.
   *
   * @param name for messages
   * @param terms what an object is found by; a pure function without repeats
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
