package dev.mooring.csi.decide;

import java.util.function.Function;

/**
 * What was worked out, or why that cannot be done.
 *
 * @param <T> what
 */
public sealed interface Checked<T> {
  /** It was. */
  record Valid<T>(T value) implements Checked<T> {}

  /** It cannot be. */
  record Invalid<T>(String why) implements Checked<T> {}

  /** Goes on with it, if it was. */
  default <R> Checked<R> then(Function<? super T, Checked<R>> next) {
    return switch (this) {
      case Valid<T>(T value) -> next.apply(value);
      case Invalid<T>(String why) -> new Invalid<>(why);
    };
  }
}
