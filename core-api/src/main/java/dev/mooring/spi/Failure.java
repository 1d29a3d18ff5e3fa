package dev.mooring.spi;

import java.time.Duration;

/**
 * Why something failed. The kind alone decides what happens next; the message is for people and
 * ends up in events.
 */
public sealed interface Failure {
  /**
   * For people: what was refused or went wrong, with the value and the remedy where there is one.
   */
  String message();

  /** The spec must change first; nothing was done. */
  record Rejected(String message) implements Failure {}

  /** The backend is full or over a limit; nothing was done. */
  record Exhausted(String message, Duration retryAfter) implements Failure {}

  /** The backend could not be reached; nothing was done. Tried again with back-off. */
  record Unreachable(String message) implements Failure {}

  /**
   * It may or may not have happened. Tried again with the same request, which must then find what
   * is there.
   */
  record Uncertain(String message) implements Failure {}

  /** The volume is still in use; nothing was done. */
  record InUse(String message) implements Failure {}

  /** A bug, the plugin's or ours. Counted, logged with its cause, tried again with back-off. */
  record Fault(String message, Throwable cause) implements Failure {}
}
