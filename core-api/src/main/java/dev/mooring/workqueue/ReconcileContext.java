package dev.mooring.workqueue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Context of the current thread while it reconciles a key. It includes calls on the same thread,
 * for example event handlers that a write of this thread triggers. An addition to a queue without
 * this context has an external cause: a watch event, a timer or a user.
 */
public final class ReconcileContext {
  private static final ScopedValue<ReconcileListener> CURRENT = ScopedValue.newInstance();

  /**
   * Origin of an action, for the audit log.
   *
   * @param controller controller name in {@code --controllers}; "" for actions without a key
   * @param key key that is reconciled; "" if none
   * @param decision last decision for the key, as one CamelCase word; "" if none yet
   * @param reason code of the reason catalogue or an event reason; "" if the decision needs none
   */
  public record ActionOrigin(String controller, String key, String decision, String reason) {
    public static final ActionOrigin NONE = new ActionOrigin("", "", "", "");

    public ActionOrigin withReason(String newReason) {
      return new ActionOrigin(controller, key, decision, newReason);
    }
  }

  /** Listener for actions during the reconciliation of a key. Thread-safe. */
  public interface ReconcileListener {
    /**
     * Returns whether this reconcile continues started work: it has already written, or its key was
     * expedited. At the limit of concurrent writes, the client sends such writes first.
     */
    default boolean completesStartedWork() {
      return false;
    }

    default void requestStarting() {}

    /**
     * Called after the API server has answered a request. Not called for a missing answer or a
     * request to retry later, because the caller then retries with back-off.
     *
     * @param write whether the request was a write
     * @param target the object or list; equal for requests to the same target
     * @param content digest of the written content; 0 for reads
     */
    void requestAnswered(boolean write, String target, int content);

    /** Called if this reconcile's write caused a change that looked external. */
    void ownWriteObserved();

    default void decisionMade(String decision, String reason) {}

    default void operationEnded(String operation, String problem, Duration took) {}

    default ActionOrigin actionOrigin() {
      return ActionOrigin.NONE;
    }
  }

  private ReconcileContext() {}

  public static boolean isReconciling() {
    return CURRENT.isBound();
  }

  public static @Nullable ReconcileListener current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  public static ActionOrigin actionOrigin() {
    return CURRENT.isBound() ? CURRENT.get().actionOrigin() : ActionOrigin.NONE;
  }

  public static <R, X extends Throwable> R run(
      ReconcileListener listener, ScopedValue.CallableOp<? extends R, X> work) throws X {
    return ScopedValue.where(CURRENT, listener).call(work);
  }
}
