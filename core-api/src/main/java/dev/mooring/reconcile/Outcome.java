package dev.mooring.reconcile;

import dev.mooring.cluster.WriteResult;
import dev.mooring.spi.Failure;
import java.time.Duration;

/** How one reconcile ended; {@link Worker} alone translates it into queue operations. */
public sealed interface Outcome {
  /** Nothing left to do until something changes. Ends the key's back-off. */
  record Settled() implements Outcome {}

  /** Nothing left to do now, but time itself matters: look again. Ends the key's back-off. */
  record CheckAgain(Duration after) implements Outcome {}

  /**
   * Nothing was tried, because what is needed is not to be had or somebody else is at it; what
   * changes that will have the key looked at. Leaves the key's back-off as it is, lest who fails
   * and who waits in turn wake each other for ever; if the key was asked for from outside, ends it.
   */
  record Deferred() implements Outcome {}

  /**
   * Somebody else changed the object first: look again soon, from fresh state. Backs off, but for
   * {@link #CONFLICTED_LONGEST} at most, however often the key has failed in what it does itself.
   * Is not an error.
   */
  record Conflicted(String what) implements Outcome {}

  /** It failed and may succeed later: back-off, at least until {@link #earliest}. */
  record Retry(Failure because) implements Outcome {
    /**
     * How long nothing is to be tried whatever the back-off says: what a full backend asked for.
     */
    public Duration earliest() {
      return because instanceof Failure.Exhausted(String _, Duration after) && after.isPositive()
          ? after.compareTo(LONGEST_WISH) < 0 ? after : LONGEST_WISH
          : Duration.ZERO;
    }
  }

  /**
   * The server did not say what had to be known, or did not take what was to be written: that is
   * nothing of the key's, and may be over at any time. Backs off, but for {@link
   * #UNANSWERED_LONGEST} at most, so that nobody waits for long once the server is back.
   *
   * @param what what was being done, and what came of it, for people
   */
  record Unanswered(String what) implements Outcome {}

  /** It failed and trying again is pointless until something changes. Ends the key's back-off. */
  record GiveUp(Failure because) implements Outcome {}

  /** Nothing left to do. */
  Outcome SETTLED = new Settled();

  /** Nothing was tried. */
  Outcome DEFERRED = new Deferred();

  /** How often all keys are looked at again in Kubernetes, which tries then whatever went wrong. */
  Duration UNANSWERED_LONGEST = Duration.ofSeconds(15);

  /**
   * How long a conflict is waited out: what whoever was first wrote may be no reason to look before
   * that.
   */
  Duration CONFLICTED_LONGEST = Duration.ofSeconds(1);

  /** No backend is believed that wants to be left alone for longer. */
  Duration LONGEST_WISH = Duration.ofHours(1);

  /**
   * What follows from a failure, from its kind alone. What was refused is refused again as long as
   * it stays what it is: that is given up until the object changes. Kubernetes tries everything
   * again with back-off.
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
   * What follows from a write that was all there was to do. One that found its object gone has
   * nothing left to do; whoever has more to do after a write looks at its result instead.
   *
   * @param what what was being done, for people
   */
  static Outcome after(String what, WriteResult<?> result) {
    return switch (result) {
      case WriteResult.Written<?> _, WriteResult.Gone<?> _ -> SETTLED;
      case WriteResult.Conflict<?>(String message) -> new Conflicted(what + ": " + message);
      case WriteResult.Rejected<?>(int code, String message) ->
          new Retry(new Failure.Rejected(what + ": the server refused (" + code + "): " + message));
      case WriteResult.Unreachable<?>(String message) -> new Unanswered(what + ": " + message);
    };
  }
}
