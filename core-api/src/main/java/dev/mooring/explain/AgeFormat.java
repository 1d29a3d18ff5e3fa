package dev.mooring.explain;

/** Formats durations as kubectl does. */
public final class AgeFormat {
  private static final int MINUTE = 60;
  private static final int HOUR = 60 * MINUTE;
  private static final int DAY = 24 * HOUR;

  private AgeFormat() {}

  /**
   * Formats a duration in the largest unit that it contains at least twice.
   *
   * @param seconds negative values count as 0, because clocks differ
   */
  public static String format(long seconds) {
    long age = Math.max(0, seconds);
    if (age < 2 * MINUTE) {
      return age + "s";
    }
    if (age < 2 * HOUR) {
      return age / MINUTE + "m";
    }
    return age < 2 * DAY ? age / HOUR + "h" : age / DAY + "d";
  }
}
