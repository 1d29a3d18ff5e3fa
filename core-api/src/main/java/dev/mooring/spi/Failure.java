package dev.mooring.spi;

import java.time.Duration;

/**
 * Cause of a failed call. The kind alone determines the host's next step; the message appears in
 * events.
 */
public sealed interface Failure {
  /** Returns a message for the user: the fact, the value and, if there is one, the remedy. */
  String message();

  /** The request cannot succeed until the user changes it. Nothing was done. */
  record Rejected(String message) implements Failure {}

  /**
   * The backend is full or over a limit. Nothing was done.
   *
   * @param retryAfter delay until the next attempt
   */
  record Exhausted(String message, Duration retryAfter) implements Failure {}

  /** The backend is unreachable. Nothing was done; the host retries with back-off. */
  record Unreachable(String message) implements Failure {}

  /**
   * The operation may or may not have happened. The host repeats the same request, which must then
   * find an existing result.
   */
  record Uncertain(String message) implements Failure {}

  /** The volume is still in use. Nothing was done. */
  record InUse(String message) implements Failure {}

  /**
   * A bug in the plugin or the host. The host counts it, logs the cause and retries with back-off.
   */
  record Fault(String message, Throwable cause) implements Failure {}
}
