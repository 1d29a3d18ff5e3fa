package dev.mooring.spi;

/**
 * How a plugin's work ended.
 *
 * @param <T> what success yields
 */
public sealed interface Attempt<T> {
  /**
   * It is done, or was done already.
   *
   * @param value the result
   */
  record Done<T>(T value) implements Attempt<T> {}

  /**
   * It is not.
   *
   * @param why whose failure it is, and hence what happens next
   */
  record Failed<T>(Failure why) implements Attempt<T> {}

  /** Success. */
  static <T> Attempt<T> done(T value) {
    return new Done<>(value);
  }

  /** The user's mistake: {@link Failure.Rejected}. */
  static <T> Attempt<T> rejected(String message) {
    return new Failed<>(new Failure.Rejected(message));
  }
}
