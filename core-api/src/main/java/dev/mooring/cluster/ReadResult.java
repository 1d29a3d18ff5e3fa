package dev.mooring.cluster;

import dev.mooring.live.Fact;
import java.util.Optional;
import java.util.function.Function;

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

  /** The object, if it was found. */
  default Optional<T> found() {
    return this instanceof Found<T>(T object) ? Optional.of(object) : Optional.empty();
  }

  /** What that makes of the object; what else the read said stays as it is. */
  default <R> ReadResult<R> map(Function<? super T, ? extends R> of) {
    return switch (this) {
      case Found<T>(T object) -> new Found<>(of.apply(object));
      case Absent<T>() -> new Absent<>();
      case Failed<T>(String message) -> new Failed<>(message);
    };
  }

  /** It is there. */
  record Found<T>(T object) implements ReadResult<T> {}

  /** The server says that there is none. */
  record Absent<T>() implements ReadResult<T> {}

  /** The server could not be asked. */
  record Failed<T>(String message) implements ReadResult<T> {}
}
