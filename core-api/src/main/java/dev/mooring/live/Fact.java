package dev.mooring.live;

/**
 * What is known of a {@link Question}. Not asked, not there and not to be found out are three
 * different things: only the server's word counts as {@link Absent}.
 *
 * @param <T> what was asked for
 */
public sealed interface Fact<T> {
  /** It was there when the server was asked. */
  record Present<T>(T object) implements Fact<T> {}

  /** The server said that there was none. */
  record Absent<T>() implements Fact<T> {}

  /**
   * The server was asked and gave no answer that tells.
   *
   * @param why for people
   */
  record Unknown<T>(String why) implements Fact<T> {}

  /** Nobody has asked yet. */
  record NotAsked<T>() implements Fact<T> {}
}
