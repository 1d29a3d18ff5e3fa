package dev.mooring.binder.observe;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** An iterator that has to look for its next element. Not thread-safe. */
abstract class LookingAhead<T> implements Iterator<T> {
  private @Nullable T next;

  /** The next element; null if there is none. */
  abstract @Nullable T look();

  @Override
  public final boolean hasNext() {
    if (next == null) {
      next = look();
    }
    return next != null;
  }

  @Override
  public final T next() {
    T result = hasNext() ? next : null;
    if (result == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return result;
  }
}
