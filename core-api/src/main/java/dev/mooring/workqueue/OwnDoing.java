package dev.mooring.workqueue;

import org.jspecify.annotations.Nullable;

/**
 * Whether what a thread does at this moment is our own doing: work on a key, and what follows from
 * it on the same thread, such as the handlers that hear of an own write. Everything else that adds
 * a key to a queue comes from outside: a watch, a timer, a person.
 */
public final class OwnDoing {
  private static final ScopedValue<Activity> CURRENT = ScopedValue.newInstance();

  /** Who hears of what is done for a key. Thread-safe. */
  public interface Activity {
    /**
     * Something is asked of the server, or written to it; said before it is sent.
     *
     * @param write whether it was written
     * @param target what was asked for or written to, the same for the same thing
     * @param content a digest of what was written; 0 for reads
     */
    void acted(boolean write, String target, int content);

    /** What seemed to have come from outside was the echo of an own write. */
    void echoed();
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

  /** Does that, for that key. */
  public static <R, X extends Throwable> R as(
      Activity activity, ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, activity).call(work);
  }
}
