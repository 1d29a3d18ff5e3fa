package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

/**
 * A mark of Mooring on an object, or an object that Mooring created.
 *
 * @param kind the object's kind
 * @param key the object
 * @param what the mark; {@link #WHOLE} if Mooring created the object itself
 * @param fate whether to remove it
 * @param why reason for the fate, as a clause
 */
public record LeftoverObject(Kind<?> kind, ObjectKey key, What what, Fate fate, String why) {
  public static final What WHOLE = new What("", "");

  public enum Fate {
    REMOVE,
    /** Kept, because data depends on it or because it is harmless. */
    KEEP,
    /** Kept; an administrator must check it before another provisioner takes over. */
    CHECK
  }

  public record What(String place, String name) {
    private static final String CONDITION = "condition";

    boolean isCondition() {
      return place.equals(CONDITION);
    }

    static What of(OwnedKey mark) {
      return new What(mark.place().toString(), mark.text());
    }

    static What condition(String type) {
      return new What(CONDITION, type);
    }
  }

  public boolean isWhole() {
    return what.equals(WHOLE);
  }

  public String subject() {
    return kind + " " + key + (isWhole() ? "" : ": " + what.place() + " " + what.name());
  }
}
