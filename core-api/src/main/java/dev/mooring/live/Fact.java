package dev.mooring.live;

/**
 * Answer to a {@link Question}. Distinguishes not asked, absent and unknown. Only a definite
 * response of the server yields {@link Absent}.
 *
 * @param <T> type of the answer
 */
public sealed interface Fact<T> {
  record Present<T>(T object) implements Fact<T> {}

  /** The server confirmed that the object does not exist. */
  record Absent<T>() implements Fact<T> {}

  /**
   * The read failed.
   *
   * @param why human-readable error
   */
  record Unknown<T>(String why) implements Fact<T> {}

  /** The question has not been asked. */
  record NotAsked<T>() implements Fact<T> {}
}
