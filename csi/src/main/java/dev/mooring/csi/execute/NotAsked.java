package dev.mooring.csi.execute;

import dev.mooring.cluster.ReadResult;
import dev.mooring.cluster.WriteResult;
import dev.mooring.csi.decide.Checked;
import dev.mooring.storage.VolumeService.Plan;
import dev.mooring.storage.VolumeService.ProvisionResult;
import dev.mooring.storage.VolumeService.State;
import java.util.Optional;

/** A request that was given up before the driver was asked. */
final class NotAsked extends Exception {
  private static final long serialVersionUID = 1L;
  private final State state;
  private final boolean unknown;

  NotAsked(State state, String why) {
    this(state, why, false);
  }

  private NotAsked(State state, String why, boolean unknown) {
    super(why, null, false, false);
    this.state = state;
    this.unknown = unknown;
  }

  /** For want of an answer: what the request rests on the API server did not say. */
  static NotAsked unknown(String why) {
    return new NotAsked(State.UNCHANGED, why, true);
  }

  /** What was read; empty if there is none. */
  static <T> Optional<T> unlessUnknown(ReadResult<T> read) throws NotAsked {
    if (read instanceof ReadResult.Failed<T>(String message)) {
      throw unknown(message);
    }
    return read.found();
  }

  /** For want of a write. */
  static void unlessWritten(String otherwise, WriteResult<?> result) throws NotAsked {
    String why = otherwise + ": " + result;
    switch (result) {
      case WriteResult.Written<?> _ -> {}
      // who was first says nothing against it, and is no reason to wait for long
      case WriteResult.Unreachable<?> _, WriteResult.Conflict<?> _ -> throw unknown(why);
      case WriteResult.Gone<?> _, WriteResult.Rejected<?> _ ->
          throw new NotAsked(State.UNCHANGED, why);
    }
  }

  /**
   * What is to be done: what is finished stays so as long as claim, class and driver are what they
   * are.
   *
   * @param told why, for people
   */
  Plan plan(String told) {
    if (unknown) {
      return new Plan.Unknown(told);
    }
    return state == State.FINISHED
        ? new Plan.Never(told)
        : new Plan.Not(new ProvisionResult.Failed(state, false, told));
  }

  /** The same, of what was to be worked out for the request. */
  <T> Checked<T> checked() {
    return unknown ? new Checked.Unknown<>(why()) : new Checked.Invalid<>(why());
  }

  /** Whether that is for want of an answer. */
  boolean isUnknown() {
    return unknown;
  }

  String why() {
    return String.valueOf(getMessage());
  }
}
