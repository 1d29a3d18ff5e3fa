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
  private final State state;
  private final boolean isUnknown;

  RequestNotSent(State state, String reason) {
    this(state, reason, false);
  }

  private RequestNotSent(State state, String reason, boolean isUnknown) {
    super(reason, null, false, false);
    this.state = state;
    this.isUnknown = isUnknown;
  }

  // The API server did not answer a read that the request depends on.
  static RequestNotSent unanswered(String reason) {
    return new RequestNotSent(State.UNCHANGED, reason, true);
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
      // a conflict is no refusal: retry soon
      case WriteResult.Unreachable<?> _, WriteResult.Conflict<?> _ -> throw unanswered(message);
      case WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
          throw new RequestNotSent(State.UNCHANGED, message);
    }
  }

  Plan toPlan(String message) {
    if (isUnknown) {
      return new Plan.Unknown(message);
    }
    return state == State.FINISHED
        ? new Plan.Impossible(message)
        : new Plan.Blocked(new ProvisionResult.Failed(state, false, message));
  }

  <T> CheckResult<T> toCheckResult() {
    return isUnknown ? new CheckResult.Unknown<>(reason()) : new CheckResult.Invalid<>(reason());
  }

  boolean isUnknown() {
    return isUnknown;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
