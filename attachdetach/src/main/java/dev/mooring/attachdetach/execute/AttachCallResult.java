package dev.mooring.attachdetach.execute;

import dev.mooring.spi.Attempt;

/**
 * Result of an attach or detach call. It separates failures of the driver or plugin from a silent
 * API server, which counts as no failure of the volume.
 *
 * @param <T> result of a successful call
 */
sealed interface AttachCallResult<T> {
  default boolean isDone() {
    return this instanceof Answered<T>(Attempt.Done<T> _);
  }

  // the driver or plugin has answered, or timed out
  record Answered<T>(Attempt<T> attempt) implements AttachCallResult<T> {}

  // a request to the API server got no answer, or failed
  record Unanswered<T>(String message) implements AttachCallResult<T> {}
}
