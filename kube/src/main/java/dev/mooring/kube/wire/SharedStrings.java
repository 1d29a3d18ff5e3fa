package dev.mooring.kube.wire;

import org.jspecify.annotations.Nullable;

/**
 * Makes equal strings one, where there are many of them but few different ones: names of nodes,
 * namespaces, drivers. Bounded: a new string takes the place of an older one. Thread-safe without
 * locks: a race costs a duplicate.
 */
final class SharedStrings {
  private final @Nullable String[] slots;

  /** Room for so many, a power of two. */
  SharedStrings(int size) {
    this.slots = new @Nullable String[size];
  }

  /** An equal string, the same as last time if it is still known. */
  String share(String value) {
    int hash = value.hashCode();
    int first = (hash ^ hash >>> 15) & slots.length - 1;
    String known = slots[first];
    if (known != null && known.equals(value)) {
      return known;
    }
    int second = first ^ 1;
    String other = slots[second];
    if (other != null && other.equals(value)) {
      return other;
    }
    slots[known == null ? first : second] = value;
    return value;
  }
}
