package dev.mooring.reference;

import io.grpc.Status;

/** Fault of a call. */
public sealed interface Fault {
  record None() implements Fault {}

  /** The call is refused without an effect. */
  record Refused(Status.Code code, String message) implements Fault {
    public Refused(Status.Code code) {
      this(code, "refused on demand");
    }
  }

  /** The call takes effect, and the caller gets the code instead of the answer. */
  record Lost(Status.Code code) implements Fault {}

  /** The call takes the given time, even if the caller has given up. */
  record Slow(long millis) implements Fault {}

  /** A list omits all entries; other calls succeed. */
  record Partly() implements Fault {}

  Fault NONE = new None();
}
