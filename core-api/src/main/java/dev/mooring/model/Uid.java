package dev.mooring.model;

import java.util.UUID;

/**
 * Uid of an object. A canonical UUID, as API servers generate it, is stored as two longs to save
 * memory: a cache may hold 150,000 pods. Any other text, which a user may write to a claimRef, is
 * kept unchanged.
 *
 * @param high upper half of the UUID; 0 if {@code text} is set
 * @param low lower half of the UUID; 0 if {@code text} is set
 * @param text "" for a canonical UUID, otherwise the original text
 */
public record Uid(long high, long low, String text) {
  public static final Uid NONE = new Uid(0, 0, "");

  public static Uid of(String value) {
    if (value.isEmpty()) {
      return NONE;
    }
    if (value.length() == 36 && value.charAt(8) == '-') {
      try {
        UUID parsed = UUID.fromString(value);
        if (parsed.toString().equals(value)) {
          return new Uid(parsed.getMostSignificantBits(), parsed.getLeastSignificantBits(), "");
        }
      } catch (IllegalArgumentException notCanonical) {
        return new Uid(0, 0, value);
      }
    }
    return new Uid(0, 0, value);
  }

  public boolean isNone() {
    return high == 0 && low == 0 && text.isEmpty();
  }

  @Override
  public String toString() {
    if (!text.isEmpty() || isNone()) {
      return text;
    }
    return new UUID(high, low).toString();
  }
}
