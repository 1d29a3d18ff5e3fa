package dev.mooring.attachdetach.decide;

/**
 * What the server itself says at this moment, past every cache. That nobody could say is a case of
 * its own, and so is that nobody asked.
 *
 * @param <T> what was asked for
 */
public sealed interface Live<T> {
  /** Nobody asked yet. */
  record NotAsked<T>() implements Live<T> {}

  /**
   * It is there.
   *
   * @param it as it is now
   */
  record Found<T>(T it) implements Live<T> {}

  /** There is none. */
  record Absent<T>() implements Live<T> {}

  /**
   * The question got no answer.
   *
   * @param why what stood in the way
   */
  record Unknown<T>(String why) implements Live<T> {}
}
