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
    public static final Doer NOBODY = new Doer("", "", "", "");

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

    default void decided(String decision, String reason) {}

    default void ended(String operation, String problem, Duration took) {}

    default Doer doer() {
      return Doer.NOBODY;
    }
  }

  private OwnDoing() {}

  public static boolean isCurrent() {
    return CURRENT.isBound();
  }

  public static @Nullable Activity current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  public static Doer doer() {
    return CURRENT.isBound() ? CURRENT.get().doer() : Doer.NOBODY;
  }

  public static <R, X extends Throwable> R as(
      Activity activity, ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, activity).call(work);
  }
}
