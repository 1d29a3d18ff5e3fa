package dev.mooring.csi.decide;

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

  /** What follows from it, by a function that may throw. */
  @FunctionalInterface
  interface Next<T, R, X extends Exception> {
    /** Works that out. */
    Checked<R> of(T value) throws X;
  }

  /** Goes on with it, if it was. */
  default <R, X extends Exception> Checked<R> then(Next<? super T, R, X> next) throws X {
    return switch (this) {
      case Valid<T>(T value) -> next.of(value);
      case Invalid<T>(String why) -> new Invalid<>(why);
      case Unknown<T>(String why) -> new Unknown<>(why);
    };
  }
}
