package dev.mooring.workqueue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Whether what a thread does at this moment is our own doing: work on a key, and what follows from
 * it on the same thread, such as the handlers that hear of an own write. Everything else that adds
 * a key to a queue comes from outside: a watch, a timer, a person.
 */
public final class OwnDoing {
  private static final ScopedValue<Activity> CURRENT = ScopedValue.newInstance();

  /**
   * Who does something, and why.
   *
   * @param controller the controller's name in {@code --controllers}; "" for what no controller
   *     does for a key
   * @param key the key that is worked on; "" for none
   * @param decision what was decided for it last, in one CamelCase word; "" for nothing yet
   * @param reason why, a code of the catalogue or an event's reason; "" if the decision says it all
   */
  public record Doer(String controller, String key, String decision, String reason) {
    /** What is done for no key. */
    public static final Doer NOBODY = new Doer("", "", "", "");

    /** The same for that reason. */
    public Doer because(String other) {
      return new Doer(controller, key, decision, other);
    }
  }

  /** Who hears of what is done for a key. Thread-safe. */
  public interface Activity {
    /**
     * Whether it ends what it has begun: it has written before, or the key was brought forward. Who
     * only begins lets it go first, so that what waits is ended one after the other and not all at
     * once at the very end.
     */
    default boolean goesFirst() {
      return false;
    }

    /** Something is about to be asked of the server, or written to it. */
    default void asks() {}

    /**
     * The server has answered what was asked of it, or written to it. What it did not answer, or
     * only with a request for patience, is no act: whoever tries it again does so with a back-off.
     *
     * @param write whether it was written
     * @param target what was asked for or written to, the same for the same thing
     * @param content a digest of what was written; 0 for reads
     */
    void acted(boolean write, String target, int content);

    /** What seemed to have come from outside was the echo of an own write. */
    void echoed();

    /**
     * Something was decided for the key, and what is done from now on is done because of it.
     *
     * @param decision in one CamelCase word
     * @param reason why, or ""
     */
    default void decided(String decision, String reason) {}

    /**
     * Slow work that was begun for the key has ended.
     *
     * @param operation what it was
     * @param problem why it failed; "" if it did not
     * @param took how long it took
     */
    default void ended(String operation, String problem, Duration took) {}

    /** Who this is, and what was decided last. */
    default Doer doer() {
      return Doer.NOBODY;
    }
  }

  private OwnDoing() {}

  /** Whether this thread works on a key. */
  public static boolean isCurrent() {
    return CURRENT.isBound();
  }

  /** Who hears of what this thread does; null if it does not work on a key. */
  public static @Nullable Activity current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Who does what this thread does; {@link Doer#NOBODY} if it does not work on a key. */
  public static Doer doer() {
    return CURRENT.isBound() ? CURRENT.get().doer() : Doer.NOBODY;
  }

  /** Does that, for that key. */
  public static <R, X extends Throwable> R as(
      Activity activity, ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, activity).call(work);
  }
}
