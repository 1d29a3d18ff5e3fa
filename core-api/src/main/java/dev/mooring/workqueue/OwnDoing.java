package dev.mooring.workqueue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Context of the current thread while it reconciles a key. It includes calls on the same thread,
 * for example event handlers that an own write triggers. An addition to a queue without this
 * context has an external cause: a watch event, a timer or a user.
 */
public final class OwnDoing {
  private static final ScopedValue<Activity> CURRENT = ScopedValue.newInstance();

  /**
   * Origin of an action, for the audit log.
   *
   * @param controller controller name in {@code --controllers}; "" for actions without a key
   * @param key key that is reconciled; "" if none
   * @param decision last decision for the key, as one CamelCase word; "" if none yet
   * @param reason code of the reason catalogue or an event reason; "" if the decision needs none
   */
  public record Doer(String controller, String key, String decision, String reason) {
    /** Origin of actions that belong to no key. */
    public static final Doer NOBODY = new Doer("", "", "", "");

    /** Returns a copy with another reason. */
    public Doer because(String other) {
      return new Doer(controller, key, decision, other);
    }
  }

  /** Listener for actions during the reconciliation of a key. Thread-safe. */
  public interface Activity {
    /**
     * Returns whether this reconciliation completes earlier work: it has written before, or its key
     * was expedited. When the limit of concurrent writes is reached, its writes are sent first:
     * started work completes steadily, not all at the end.
     */
    default boolean goesFirst() {
      return false;
    }

    /** Called before a request to the API server. */
    default void asks() {}

    /**
     * Called after the API server has answered a request. Not called for a missing answer or a
     * request to retry later, because the caller then retries with back-off.
     *
     * @param write whether the request was a write
     * @param target the object or list; equal for requests to the same target
     * @param content digest of the written content; 0 for reads
     */
    void acted(boolean write, String target, int content);

    /** Called if an apparently external change was caused by an own write. */
    void echoed();

    /**
     * Called after a decision; subsequent actions result from it.
     *
     * @param decision one CamelCase word
     * @param reason reason; may be ""
     */
    default void decided(String decision, String reason) {}

    /**
     * Called when a slow operation for the key ends.
     *
     * @param operation name of the operation
     * @param problem error; "" on success
     * @param took duration
     */
    default void ended(String operation, String problem, Duration took) {}

    default Doer doer() {
      return Doer.NOBODY;
    }
  }

  private OwnDoing() {}

  /** Returns whether this thread reconciles a key. */
  public static boolean isCurrent() {
    return CURRENT.isBound();
  }

  /** Returns the listener of this thread; null if it does not reconcile a key. */
  public static @Nullable Activity current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /**
   * Returns the origin of this thread's actions; {@link Doer#NOBODY} if it does not reconcile a
   * key.
   */
  public static Doer doer() {
    return CURRENT.isBound() ? CURRENT.get().doer() : Doer.NOBODY;
  }

  /** Runs the work in the context of a key. */
  public static <R, X extends Throwable> R as(
      Activity activity, ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, activity).call(work);
  }
}
