package dev.mooring.kube.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes equal values one, where there are many of them but few different ones: names of nodes,
 * namespaces, drivers; sizes. Bounded: a new value takes the place of an older one. Thread-safe
 * without locks: a race costs a duplicate.
 *
 * @param <T> immutable, with the text that it was read from as {@link Object#toString}
 */
final class Shared<T> {
  private final AtomicReferenceArray<@Nullable T> slots;
  private final Function<String, ? extends T> reading;

  /**
   * Nothing is known yet.
   *
   * @param size room for so many, a power of two
   * @param reading makes a value of a text
   */
  Shared(int size, Function<String, ? extends T> reading) {
    this.slots = new AtomicReferenceArray<>(size);
    this.reading = reading;
  }

  /** The value of a text, the same as last time if it is still known. */
  T of(String text) {
    int hash = text.hashCode();
    int first = (hash ^ hash >>> 15) & slots.length() - 1;
    T known = slots.getPlain(first);
    if (known != null && known.toString().equals(text)) {
      return known;
    }
    int second = first ^ 1;
    T other = slots.getPlain(second);
    if (other != null && other.toString().equals(text)) {
      return other;
    }
    T value = reading.apply(text);
    slots.setRelease(known == null ? first : second, value);
    return value;
  }
}
