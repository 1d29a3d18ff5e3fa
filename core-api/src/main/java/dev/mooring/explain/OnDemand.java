package dev.mooring.explain;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/**
 * Elements that are made when they are read, each time anew: of fifty thousand candidates ten are
 * shown. Immutable, if what it is made from is, and what makes it depends on nothing else.
 */
final class OnDemand<S, T> extends AbstractList<T> implements RandomAccess {
  private final List<S> from;
  private final Function<? super S, ? extends T> made;

  OnDemand(List<S> from, Function<? super S, ? extends T> made) {
    this.from = List.copyOf(from);
    this.made = made;
  }

  @Override
  public T get(int index) {
    return made.apply(from.get(index));
  }

  @Override
  public int size() {
    return from.size();
  }
}
