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
   * Somebody else changed the object first: look again soon, from fresh state. Backs off, is not an
   * error.
   */
  record Conflicted(String what) implements Outcome {}

  /** It failed and may succeed later: back-off. */
  record Retry(Failure because) implements Outcome {}

  /** It failed and trying again is pointless until something changes. Ends the key's back-off. */
  record GiveUp(Failure because) implements Outcome {}

  /** Nothing left to do. */
  Outcome SETTLED = new Settled();

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
      case WriteResult.Unreachable<?>(String message) ->
          new Retry(new Failure.Uncertain(what + ": " + message));
    };
  }
}
