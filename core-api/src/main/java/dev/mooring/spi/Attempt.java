package dev.mooring.spi;

/**
 * Result of a plugin call.
 *
 * @param <T> type of the value on success
 */
public sealed interface Attempt<T> {
  /** Success, or the work was done before the call. */
  record Done<T>(T value) implements Attempt<T> {}

  /**
   * Failure.
   *
   * @param failure cause, which determines the host's next step
   */
  record Failed<T>(Failure failure) implements Attempt<T> {}

  /** Returns a success. */
  static <T> Attempt<T> done(T value) {
    return new Done<>(value);
  }

  /** Returns {@link Failure.Rejected}: the user must change the request. */
  static <T> Attempt<T> rejected(String message) {
    return new Failed<>(new Failure.Rejected(message));
  }
}
