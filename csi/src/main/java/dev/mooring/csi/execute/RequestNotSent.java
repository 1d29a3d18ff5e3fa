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
  private final boolean unknown;

  RequestNotSent(State state, String why) {
    this(state, why, false);
  }

  private RequestNotSent(State state, String why, boolean unknown) {
    super(why, null, false, false);
    this.state = state;
    this.unknown = unknown;
  }

  // The API server did not answer a read that the request depends on.
  static RequestNotSent unknown(String why) {
    return new RequestNotSent(State.UNCHANGED, why, true);
  }

  // Returns the object; empty if it does not exist. Throws if the API server did not answer.
  static <T> Optional<T> unlessUnknown(ReadResult<T> read) throws RequestNotSent {
    if (read instanceof ReadResult.Failed<T>(String message)) {
      throw unknown(message);
    }
    return read.found();
  }

  static void unlessWritten(String what, WriteResult<?> result) throws RequestNotSent {
    String why = what + ": " + result;
    switch (result) {
      case WriteResult.Written<?> _ -> {}
      // a conflict is no refusal: retry soon
      case WriteResult.Unreachable<?> _, WriteResult.Conflict<?> _ -> throw unknown(why);
      case WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
          throw new RequestNotSent(State.UNCHANGED, why);
    }
  }

  Plan plan(String message) {
    if (unknown) {
      return new Plan.Unknown(message);
    }
    return state == State.FINISHED
        ? new Plan.Never(message)
        : new Plan.Not(new ProvisionResult.Failed(state, false, message));
  }

  <T> CheckResult<T> checked() {
    return unknown ? new CheckResult.Unknown<>(why()) : new CheckResult.Invalid<>(why());
  }

  boolean isUnknown() {
    return unknown;
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
