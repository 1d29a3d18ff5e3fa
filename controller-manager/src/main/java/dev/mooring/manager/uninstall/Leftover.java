package dev.mooring.manager.uninstall;

import dev.mooring.cluster.OwnMark;
import dev.mooring.model.Kind;
import dev.mooring.model.ObjectKey;

/**
 * Something of Mooring's that is on an object, or an object of its own.
 *
 * @param kind the object's kind
 * @param key the object
 * @param what which mark it is; {@link #WHOLE} if the object itself is Mooring's
 * @param fate what becomes of it
 * @param why why that, as a clause
 */
public record Leftover(Kind<?> kind, ObjectKey key, What what, Fate fate, String why) {
  /** The object itself. */
  public static final What WHOLE = new What("", "");

  /** What becomes of it. */
  public enum Fate {
    /** It is removed: it hinders, or nobody needs it. */
    GOES,
    /** It stays, because data rests on it, or because it hinders nobody. */
    STAYS,
    /** It stays, and somebody has to look at it before another takes over. */
    LOOK
  }

  /**
   * Which mark.
   *
   * @param place finalizer, annotation, label or condition, as a word
   * @param name its name
   */
  public record What(String place, String name) {
    private static final String CONDITION = "condition";

    /** Whether it is a condition. */
    boolean isCondition() {
      return place.equals(CONDITION);
    }

    static What of(OwnMark mark) {
      return new What(mark.place().toString(), mark.text());
    }

    static What condition(String type) {
      return new What(CONDITION, type);
    }
  }

  /** Whether the object itself is meant. */
  public boolean isWhole() {
    return what.equals(WHOLE);
  }

  /** Object and mark. */
  public String subject() {
    return kind + " " + key + (isWhole() ? "" : ": " + what.place() + " " + what.name());
  }
}
