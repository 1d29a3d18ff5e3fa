package dev.mooring.live;

/**
 * Answer to a {@link Question}. Distinguishes not asked, absent and unknown. Only a definite
 * response of the server yields {@link Absent}.
 *
 * @param <T> type of the answer
 */
public sealed interface Fact<T> {
  record Present<T>(T object) implements Fact<T> {}

  record Absent<T>() implements Fact<T> {}

  record Unknown<T>(String message) implements Fact<T> {}

  record NotAsked<T>() implements Fact<T> {}
}
