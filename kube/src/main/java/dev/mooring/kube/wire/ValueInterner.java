package dev.mooring.kube.wire;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Deduplicates values that often repeat: names of nodes, namespaces and drivers; sizes. Bounded: a
 * new value replaces an older one. Thread-safe without locks; a race costs a duplicate.
 *
 * @param <T> immutable type whose {@link Object#toString} returns the text that it was parsed from
 */
final class ValueInterner<T> {
  private final AtomicReferenceArray<@Nullable T> slots;
  private final Function<String, ? extends T> reading;

  ValueInterner(int size, Function<String, ? extends T> reading) {
    this.slots = new AtomicReferenceArray<>(size);
    this.reading = reading;
  }

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
