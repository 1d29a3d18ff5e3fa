package dev.mooring.reference;

import io.grpc.Status;

/** What goes wrong with a call. */
public sealed interface Fault {
  /** Nothing. */
  record None() implements Fault {}

  /** It is refused, and nothing is done. */
  record Refused(Status.Code code) implements Fault {}

  /** It is done, and its answer is lost: the caller hears that code. */
  record Lost(Status.Code code) implements Fault {}

  /** It takes that long, whether or not the caller still waits. */
  record Slow(long millis) implements Fault {}

  /** A list leaves out everything; any other call goes well. */
  record Partly() implements Fault {}

  /** Nothing goes wrong. */
  Fault NONE = new None();
}
