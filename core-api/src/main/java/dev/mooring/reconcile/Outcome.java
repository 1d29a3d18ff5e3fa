package dev.mooring.reconcile;

import dev.mooring.cluster.WriteResult;
import dev.mooring.spi.Failure;
import java.time.Duration;

/** Result of one reconcile. {@link Worker} alone translates it into queue operations. */
public sealed interface Outcome {
  /** No work until something changes. Resets the back-off. */
  record Settled() implements Outcome {}

  /**
   * No work now, but requeue after a delay because the outcome depends on time. Resets the
   * back-off.
   */
  record CheckAgain(Duration delay) implements Outcome {}

  /**
   * The reconcile attempted nothing, because a precondition is missing or another actor is at work;
   * the watch event of that change requeues the key. Keeps the back-off, so that a failing and a
   * waiting key do not requeue each other for ever. Resets it if an external event had queued the
   * key.
   */
  record Deferred() implements Outcome {}

  /**
   * Another writer changed the object first: requeue soon. The back-off is at most {@link
   * #CONFLICTED_LONGEST}, regardless of earlier failures of the key. Not an error.
   */
  record Conflicted(String message) implements Outcome {}

  /** The attempt failed and may succeed later: back-off, and at least {@link #earliest}. */
  record Retry(Failure failure) implements Outcome {
    /** Returns the minimum delay, which a full backend requested; zero for none. */
    public Duration earliest() {
      return failure instanceof Failure.Exhausted(String _, Duration delay) && delay.isPositive()
          ? delay.compareTo(MAX_RETRY_AFTER) < 0 ? delay : MAX_RETRY_AFTER
          : Duration.ZERO;
    }
  }

  /**
   * The API server did not answer a read or did not accept a write. That is no failure of the key.
   * The back-off is at most {@link #UNANSWERED_LONGEST}, so that keys recover soon after the
   * server.
   *
   * @param message attempted action and error, human-readable
   */
  record Unanswered(String message) implements Outcome {}

  /** The attempt failed, and a retry is useless until something changes. Resets the back-off. */
  record GiveUp(Failure failure) implements Outcome {}

  Outcome SETTLED = new Settled();

  Outcome DEFERRED = new Deferred();

  /** Resync period of Kubernetes' volume controllers, which limits the delay of any retry there. */
  Duration UNANSWERED_LONGEST = Duration.ofSeconds(15);

  /**
   * Longest back-off after a conflict: the winning write may not cause a watch event for this key.
   */
  Duration CONFLICTED_LONGEST = Duration.ofSeconds(1);

  Duration MAX_RETRY_AFTER = Duration.ofHours(1);

  /**
   * Maps a failure by its type. A rejection repeats until the object changes; Mooring therefore
   * gives up, whereas Kubernetes retries with back-off.
   */
  static Outcome of(Failure failure, Compat compat) {
    return switch (failure) {
      case Failure.Rejected _ ->
          switch (compat) {
            case MOORING -> new GiveUp(failure);
            case KUBERNETES -> new Retry(failure);
          };
      case Failure.Exhausted _,
          Failure.Unreachable _,
          Failure.Uncertain _,
          Failure.InUse _,
          Failure.Fault _ ->
          new Retry(failure);
    };
  }

  /**
   * Maps the result of a reconcile's last write. An absent object is settled. A reconciler that
   * continues after a write must inspect the result itself.
   *
   * @param action attempted action, human-readable
   */
  static Outcome ofWrite(String action, WriteResult<?> result) {
    return switch (result) {
      case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> SETTLED;
      case WriteResult.Conflict<?>(String message) -> new Conflicted(action + ": " + message);
      case WriteResult.Rejected<?>(int code, String message) ->
          new Retry(
              new Failure.Rejected(action + ": the server refused (" + code + "): " + message));
      case WriteResult.Unreachable<?>(String message) -> new Unanswered(action + ": " + message);
    };
  }
}
