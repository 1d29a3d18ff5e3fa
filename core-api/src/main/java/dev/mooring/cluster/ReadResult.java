package dev.mooring.cluster;

import dev.mooring.live.Fact;

/**
 * What a live read found. Unknown is not absent: a read that failed is neither.
 *
 * @param <T> the object
 */
public sealed interface ReadResult<T> {
  /** What a decision may be told of it. */
  default Fact<T> fact() {
    return switch (this) {
      case Found<T>(T object) -> new Fact.Present<>(object);
      case Absent<T>() -> new Fact.Absent<>();
      case Failed<T>(String message) -> new Fact.Unknown<>(message);
    };
  }

  /** It is there. */
  record Found<T>(T object) implements ReadResult<T> {}

  /** The server says that there is none. */
  record Absent<T>() implements ReadResult<T> {}

  /** The server could not be asked. */
  record Failed<T>(String message) implements ReadResult<T> {}
}
