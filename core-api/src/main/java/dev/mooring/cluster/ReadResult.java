package dev.mooring.cluster;

import dev.mooring.live.Fact;
import java.util.Optional;
import java.util.function.Function;

/**
 * Result of a live read. A failed read does not mean absence.
 *
 * @param <T> type of the object
 */
public sealed interface ReadResult<T> {
  /** Converts the result to a fact for deciders. */
  default Fact<T> fact() {
    return switch (this) {
      case Found<T>(T object) -> new Fact.Present<>(object);
      case Absent<T>() -> new Fact.Absent<>();
      case Failed<T>(String message) -> new Fact.Unknown<>(message);
    };
  }

  default Optional<T> found() {
    return this instanceof Found<T>(T object) ? Optional.of(object) : Optional.empty();
  }

  /** Maps the found object; other results stay unchanged. */
  default <R> ReadResult<R> map(Function<? super T, ? extends R> of) {
    return switch (this) {
      case Found<T>(T object) -> new Found<>(of.apply(object));
      case Absent<T>() -> new Absent<>();
      case Failed<T>(String message) -> new Failed<>(message);
    };
  }

  record Found<T>(T object) implements ReadResult<T> {}

  /** The server confirmed that the object does not exist. */
  record Absent<T>() implements ReadResult<T> {}

  /** The server did not answer, or its answer is unusable. */
  record Failed<T>(String message) implements ReadResult<T> {}
}
