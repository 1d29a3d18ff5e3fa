package dev.mooring.wire;

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
  private final Function<String, ? extends T> parser;

  ValueInterner(int size, Function<String, ? extends T> parser) {
    this.slots = new AtomicReferenceArray<>(size);
    this.parser = parser;
  }

  T intern(String text) {
    int hash = text.hashCode();
    int firstSlot = (hash ^ hash >>> 15) & slots.length() - 1;
    T firstValue = slots.getPlain(firstSlot);
    if (firstValue != null && firstValue.toString().equals(text)) {
      return firstValue;
    }
    int secondSlot = firstSlot ^ 1;
    T secondValue = slots.getPlain(secondSlot);
    if (secondValue != null && secondValue.toString().equals(text)) {
      return secondValue;
    }
    T value = parser.apply(text);
    slots.setRelease(firstValue == null ? firstSlot : secondSlot, value);
    return value;
  }
}
