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
  default Fact<T> fact() {
    return switch (this) {
      case Found<T>(T object) -> new Fact.Present<>(object);
      case Absent<T>() -> new Fact.Absent<>();
      case Failed<T>(String message) -> new Fact.Unknown<>(message);
    };
  }

  default Optional<T> toOptional() {
    return this instanceof Found<T>(T object) ? Optional.of(object) : Optional.empty();
  }

  default <R> ReadResult<R> map(Function<? super T, ? extends R> conversion) {
    return switch (this) {
      case Found<T>(T object) -> new Found<>(conversion.apply(object));
      case Absent<T>() -> new Absent<>();
      case Failed<T>(String message) -> new Failed<>(message);
    };
  }

  record Found<T>(T object) implements ReadResult<T> {}

  record Absent<T>() implements ReadResult<T> {}

  record Failed<T>(String message) implements ReadResult<T> {}
}
