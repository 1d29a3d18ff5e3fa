package dev.mooring.cluster;

import java.util.Optional;

/**
 * How a write ended.
 *
 * @param <T> the object written
 */
public sealed interface WriteResult<T> {
  /** The server did it; the object as it is now. The informer knows it already. */
  record Written<T>(T now) implements WriteResult<T> {}

  /**
   * The precondition did not hold, or the name is taken: somebody else was first. Nothing was
   * written.
   */
  record Conflict<T>(String message) implements WriteResult<T> {}

  /** There is no such object. */
  record Gone<T>() implements WriteResult<T> {}

  /** The server refused for good (4xx): the write itself is wrong. */
  record Rejected<T>(int code, String message) implements WriteResult<T> {}

  /** No answer, or one that says nothing (5xx): it may or may not have happened. */
  record Unreachable<T>(String message) implements WriteResult<T> {}

  /** The object, if it was written. */
  default Optional<T> written() {
    return this instanceof Written<T>(T now) ? Optional.of(now) : Optional.empty();
  }
}
