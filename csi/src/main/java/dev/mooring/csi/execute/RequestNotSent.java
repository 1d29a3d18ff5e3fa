package dev.mooring.csi.execute;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.CheckResult;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import java.util.Optional;

final class RequestNotSent extends Exception {
  private static final long serialVersionUID = 1L;

  private enum Cause {
    REFUSED,
    UNANSWERED,
    CONFLICTED
  }

  private final State state;
  private final Cause cause;

  RequestNotSent(State state, String reason) {
    this(state, reason, Cause.REFUSED);
  }

  private RequestNotSent(State state, String reason, Cause cause) {
    super(reason, null, false, false);
    this.state = state;
    this.cause = cause;
  }

  // The API server did not answer a read that the request depends on.
  static RequestNotSent unanswered(String reason) {
    return new RequestNotSent(State.UNCHANGED, reason, Cause.UNANSWERED);
  }

  // Another writer was first, as when two claims protect one snapshot at once.
  static RequestNotSent conflicted(String reason) {
    return new RequestNotSent(State.UNCHANGED, reason, Cause.CONFLICTED);
  }

  // Returns the object; empty if it does not exist. Throws if the API server did not answer.
  static <T> Optional<T> requireAnswer(ReadResult<T> result) throws RequestNotSent {
    if (result instanceof ReadResult.Failed<T>(String message)) {
      throw unanswered(message);
    }
    return result.toOptional();
  }

  static void requireWritten(String action, WriteResult<?> result) throws RequestNotSent {
    String message = action + ": " + result;
    switch (result) {
      case WriteResult.Written<?> _ -> {}
      case WriteResult.Unreachable<?> _ -> throw unanswered(message);
      case WriteResult.Conflict<?> _ -> throw conflicted(message);
      case WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
          throw new RequestNotSent(State.UNCHANGED, message);
    }
  }

  Plan toPlan(String message) {
    return switch (cause) {
      case UNANSWERED -> new Plan.Unknown(message);
      case CONFLICTED -> new Plan.Conflicted(message);
      case REFUSED ->
          state == State.FINISHED
              ? new Plan.Impossible(message)
              : new Plan.Blocked(new ProvisionResult.Failed(state, false, message));
    };
  }

  <T> CheckResult<T> toCheckResult() {
    return isRefusal() ? new CheckResult.Invalid<>(reason()) : new CheckResult.Unknown<>(reason());
  }

  boolean isRefusal() {
    return cause == Cause.REFUSED;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
