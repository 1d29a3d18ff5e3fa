package dev.mooring.explain;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;

/**
 * Lazy list that computes each element at each access, because explanations show ten of perhaps
 * fifty thousand candidates. Immutable if its source is and its function is pure.
 */
final class LazyList<S, T> extends AbstractList<T> implements RandomAccess {
  private final List<S> source;
  private final Function<? super S, ? extends T> mapping;

  LazyList(List<S> source, Function<? super S, ? extends T> mapping) {
    this.source = List.copyOf(source);
    this.mapping = mapping;
  }

  @Override
  public T get(int index) {
    return mapping.apply(source.get(index));
  }

  @Override
  public int size() {
    return source.size();
  }
}
