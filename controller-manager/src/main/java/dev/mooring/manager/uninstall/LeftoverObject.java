package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnedKey;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

/**
 * A mark of Mooring on an object, or an object that Mooring created.
 *
 * @param kind the object's kind
 * @param key the object
 * @param mark the mark; {@link #WHOLE} if Mooring created the object itself
 * @param action whether to remove it
 * @param reason reason for the action, as a clause
 */
public record LeftoverObject(
    Kind<?> kind, ObjectKey key, Mark mark, RemovalAction action, String reason) {
  public static final Mark WHOLE = new Mark("", "");

  public enum RemovalAction {
    REMOVE,
    /** Kept, because data depends on it or because it is harmless. */
    KEEP,
    /** Kept; an administrator must check it before another provisioner takes over. */
    CHECK
  }

  public record Mark(String place, String name) {
    private static final String CONDITION = "condition";

    boolean isCondition() {
      return place.equals(CONDITION);
    }

    static Mark of(OwnedKey mark) {
      return new Mark(mark.type().toString(), mark.text());
    }

    static Mark condition(String type) {
      return new Mark(CONDITION, type);
    }
  }

  public boolean isWhole() {
    return mark.equals(WHOLE);
  }

  public String subject() {
    return kind + " " + key + (isWhole() ? "" : ": " + mark.place() + " " + mark.name());
  }
}
