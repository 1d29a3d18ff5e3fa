package dev.mooring.csi.decide;

import java.util.function.Function;

/**
 * What was worked out, or why that cannot be done. What the API server did not say is no reason:
 * whoever knows too little is not told no.
 *
 * @param <T> what
 */
public sealed interface Checked<T> {
  /** It was. */
  record Valid<T>(T value) implements Checked<T> {}

  /** It cannot be. */
  record Invalid<T>(String why) implements Checked<T> {}

  /** Whether it can be is unknown: the API server did not say what it rests on. */
  record Unknown<T>(String why) implements Checked<T> {}

  /** Goes on with it, if it was. */
  default <R> Checked<R> then(Function<? super T, Checked<R>> next) {
    return switch (this) {
      case Valid<T>(T value) -> next.apply(value);
      case Invalid<T>(String why) -> new Invalid<>(why);
      case Unknown<T>(String why) -> new Unknown<>(why);
    };
  }
}
