package dev.mooring.cluster;

/**
 * What a live read found. Unknown is not absent: a read that failed is neither.
 *
 * @param <T> the object
 */
public sealed interface ReadResult<T> {
  /** It is there. */
  record Found<T>(T object) implements ReadResult<T> {}

  /** The server says that there is none. */
  record Absent<T>() implements ReadResult<T> {}

  /** The server could not be asked. */
  record Failed<T>(String message) implements ReadResult<T> {}
}
