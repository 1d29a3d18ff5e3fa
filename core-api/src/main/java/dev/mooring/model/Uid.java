package dev.mooring.model;

import java.util.UUID;

/**
 * An object's uid. Servers write UUIDs, which are kept as two longs (150,000 pods are cached);
 * anything else that a user put into a claimRef is kept as written.
 *
 * @param high the UUID's upper half, 0 where {@code text} counts
 * @param low the UUID's lower half, 0 where {@code text} counts
 * @param text "" for a canonical UUID, else the uid as written
 */
public record Uid(long high, long low, String text) {
  /** No uid at all: what an empty or missing field means. */
  public static final Uid NONE = new Uid(0, 0, "");

  /** Reads a uid; "" is {@link #NONE}. */
  public static Uid of(String written) {
    if (written.isEmpty()) {
      return NONE;
    }
    if (written.length() == 36 && written.charAt(8) == '-') {
      try {
        UUID parsed = UUID.fromString(written);
        if (parsed.toString().equals(written)) {
          return new Uid(parsed.getMostSignificantBits(), parsed.getLeastSignificantBits(), "");
        }
      } catch (IllegalArgumentException notCanonical) {
        return new Uid(0, 0, written);
      }
    }
    return new Uid(0, 0, written);
  }

  /** Whether there is none. */
  public boolean isNone() {
    return high == 0 && low == 0 && text.isEmpty();
  }

  /** The uid as it was written; "" for {@link #NONE}. */
  @Override
  public String toString() {
    if (!text.isEmpty() || isNone()) {
      return text;
    }
    return new UUID(high, low).toString();
  }
}
