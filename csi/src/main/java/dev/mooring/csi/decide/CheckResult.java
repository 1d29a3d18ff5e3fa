package dev.mooring.csi.decide;

/**
 * Result of a check: a value, a refusal, or unknown because the API server did not answer. Unknown
 * must not be reported as a refusal.
 */
public sealed interface CheckResult<T> {
  record Valid<T>(T value) implements CheckResult<T> {}

  record Invalid<T>(String reason) implements CheckResult<T> {}

  record Unknown<T>(String reason) implements CheckResult<T> {}

  @FunctionalInterface
  interface CheckFunction<T, R, X extends Exception> {
    CheckResult<R> apply(T value) throws X;
  }

  default <R, X extends Exception> CheckResult<R> then(CheckFunction<? super T, R, X> next)
      throws X {
    return switch (this) {
      case Valid<T>(T value) -> next.apply(value);
      case Invalid<T>(String reason) -> new Invalid<>(reason);
      case Unknown<T>(String reason) -> new Unknown<>(reason);
    };
  }
}
