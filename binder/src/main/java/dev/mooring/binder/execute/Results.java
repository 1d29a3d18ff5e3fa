package dev.mooring.binder.execute;

import dev.mooring.cluster.WriteResult;
import dev.mooring.reconcile.Outcome;
import dev.mooring.spi.Failure;

/** What a write that did not happen means for the key. */
final class Results {
  private Results() {}

  /** The outcome of anything but {@link WriteResult.Written}. */
  static Outcome outcome(String what, WriteResult<?> result) {
    return switch (result) {
      case WriteResult.Written<?> _ -> Outcome.SETTLED;
      case WriteResult.Conflict<?>(String message) -> new Outcome.Conflicted(what + ": " + message);
      case WriteResult.Gone<?> _ -> new Outcome.Conflicted(what + ": the object is gone");
      case WriteResult.Rejected<?>(int code, String message) ->
          new Outcome.Retry(
              new Failure.Rejected(what + ": the server refused (" + code + "): " + message));
      case WriteResult.Unreachable<?>(String message) ->
          new Outcome.Unanswered(what + ": " + message);
    };
  }
}
